// natives: none
// The name that V8 gives a function in its reports: its own, or that of the variable or property it is assigned to.
'use strict';

function keyName({ key, computed }) {
  if (computed) return '';
  return key.type === 'Identifier' || key.type === 'PrivateIdentifier'
    ? `${key.type === 'Identifier' ? '' : '#'}${key.name}`
    : `${key.value ?? ''}`;
}

function targetName(node) {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression' && !node.computed) {
    const inner = node.object.type === 'ThisExpression' ? '' : targetName(node.object);
    return inner === '' ? node.property.name : `${inner}.${node.property.name}`;
  }
  return '';
}

function functionName(node, parent) {
  if (node.id) return node.id.name;
  switch (parent?.type) {
    case 'MethodDefinition':
      if (parent.kind === 'constructor') return parent.className ?? 'constructor';
      return `${parent.kind === 'method' ? '' : `${parent.kind} `}${keyName(parent)}`;
    case 'Property':
      return `${parent.kind === 'init' ? '' : `${parent.kind} `}${keyName(parent)}`;
    case 'PropertyDefinition':
      return keyName(parent);
    case 'VariableDeclarator':
      return parent.init === node ? targetName(parent.id) : '';
    case 'AssignmentExpression':
      return parent.right === node ? targetName(parent.left) : '';
    case 'AssignmentPattern':
      return parent.right === node ? targetName(parent.left) : '';
    case 'ExportDefaultDeclaration':
      return 'default';
    default:
      return '';
  }
}

module.exports = { functionName };
