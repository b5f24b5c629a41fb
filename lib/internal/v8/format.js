// natives: none
// The format of v8.serialize, version 15: one tag before each value. Shared by the serializer and the deserializer.
'use strict';

const code = (character) => stringCharCodeAt.call(character, 0);

module.exports = {
  kVersion: 15,
  kHeader: 0xff,
  tags: {
    padding: 0, undefined: code('_'), null: code('0'), true: code('T'), false: code('F'), int32: code('I'), uint32: code('U'),
    double: code('N'), bigint: code('Z'), utf8: code('S'), oneByte: code('"'), twoByte: code('c'), reference: code('^'),
    object: code('o'), endObject: code('{'), denseArray: code('A'), endDenseArray: code('$'), sparseArray: code('a'),
    endSparseArray: code('@'), hole: code('-'), date: code('D'), trueObject: code('y'), falseObject: code('x'), numberObject: code('n'),
    bigintObject: code('z'), stringObject: code('s'), regexp: code('R'), map: code(';'), endMap: code(':'), set: code("'"),
    endSet: code(','), arrayBuffer: code('B'), transferredBuffer: code('t'), view: code('V'), error: code('r'), host: code('\\'),
    verifyObjectCount: code('?'),
  },
  errorTags: { EvalError: 'E', RangeError: 'R', ReferenceError: 'F', SyntaxError: 'S', TypeError: 'T', URIError: 'U' },
  errorParts: { message: code('m'), cause: code('c'), stack: code('s'), end: code('.') },
  regexpFlags: ['g', 'i', 'm', 'y', 'u', 's', '', 'd', 'v'],
  viewTags: {
    Int8Array: 'b', Uint8Array: 'B', Uint8ClampedArray: 'C', Int16Array: 'w', Uint16Array: 'W', Int32Array: 'd', Uint32Array: 'D',
    Float16Array: 'h', Float32Array: 'f', Float64Array: 'F', BigInt64Array: 'q', BigUint64Array: 'Q', DataView: '?',
  },
};
