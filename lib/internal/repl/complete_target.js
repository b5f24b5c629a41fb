// natives: none
// The end of a line that tab completion is about: `obj.b` of `const a = obj.b`, `tru` of `{ a: tru`. Nothing where the line is
// complete, and nothing where the end calls or changes something.
'use strict';

const kActive = new Set(['ForInStatement', 'ForOfStatement', 'CallExpression', 'AssignmentExpression', 'UpdateExpression']);

function isActive(node) {
  if (kActive.has(node.type)) return true;
  for (const key of each(Object.keys(node))) {
    const children = Array.isArray(node[key]) ? node[key] : [node[key]];
    if (arraySome.call(children, (child) => typeof child?.type === 'string' && isActive(child))) return true;
  }
  return false;
}

// The part of the last statement to look at instead; null: there is none; undefined: the whole.
function lastPart(statement) {
  if (statement.type === 'BlockStatement') return null;
  if (statement.type === 'VariableDeclaration') return statement.declarations[statement.declarations.length - 1].init ?? null;
  if (statement.type !== 'ExpressionStatement') return undefined;
  const { expression } = statement;
  if (expression.right) return expression.right;
  if (expression.type === 'UnaryExpression') return expression.argument;
  if (expression.type === 'NewExpression') return expression.callee;
  return undefined;
}

function completeTarget(code) {
  if (!code) return null;
  for (const end of each(['?.', '.'])) {
    if (!stringEndsWith.call(code, end)) continue;
    const found = completeTarget(stringSlice.call(code, 0, -end.length));
    return found ? found + end : found;
  }
  let tree;
  try {
    tree = require('acorn').parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  } catch {
    // Brackets may be open: the last word is tried by itself.
    const words = stringSplit.call(code, ' ');
    return words.length > 1 ? completeTarget(words[words.length - 1]) : null;
  }
  const statement = tree.body[tree.body.length - 1];
  if (statement === undefined) return null;
  const part = lastPart(statement);
  if (part === null) return null;
  if (part !== undefined) return completeTarget(stringSlice.call(code, part.start, part.end));
  return isActive(statement) ? null : stringSlice.call(code, statement.start, statement.end);
}

module.exports = { completeTarget };
