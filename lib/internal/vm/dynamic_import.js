// natives: none
// import() in code that node:vm compiled. Where such code is from is a name of its own that begins with `vm:`, and says what import()
// does there: nothing ('vm:no-loader', 'vm:no-flag').
'use strict';

const { codes: { ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING, ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG } } = require('internal/errors/coded');

const kNoLoader = 'vm:no-loader';
const kNoFlag = 'vm:no-flag';

async function importFrom(specifier, origin) {
  if (origin === kNoFlag) throw new ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG();
  throw new ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING();
}

module.exports = { importFrom, kNoFlag, kNoLoader };
