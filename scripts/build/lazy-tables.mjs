import { parse } from 'acorn';

/** Properties of the smallest table that is worth it: V8 takes some 4,000 instructions for each when it makes an object of a literal. */
const LARGE = 4;

/**
 * Tables of a bundle that one function is (as-function.mjs). V8 would make all of them when the bundle is run, which is at each start of a program. A number
 * of a table is put where it is used, and a table that has other uses is made at the first of them.
 */
export function lazyTables(text) {
  const body = parse(text, { ecmaVersion: 2024 }).body[0].expression.body;
  const tables = new Map(
    body.body
      .filter(({ type }) => type === 'VariableDeclaration')
      .flatMap(({ declarations }) => declarations)
      .filter(({ id, init }) => id.type === 'Identifier' && init?.type === 'ObjectExpression' && isTable(init))
      .map(({ id, init }) => [id.name, { id, init, uses: [], isMadeAtOnce: false }]),
  );
  findUses(body, tables);
  const edits = [...tables].flatMap(([name, table]) => (table.isMadeAtOnce ? [] : editsOf(name, table)));
  return edits
    .sort((a, b) => b.start - a.start)
    .reduce((done, { start, end, by }) => done.slice(0, start) + by + done.slice(end), text);
}

const isTable = ({ properties }) =>
  sizeOf(properties) >= LARGE &&
  properties.every(
    ({ type, kind, computed, value, key }) =>
      type === 'Property' && kind === 'init' && !computed && key.name !== '__proto__' && isConstant(value),
  );
const sizeOf = (properties) => properties.reduce((sum, { value }) => sum + 1 + (value?.elements?.length ?? 0), 0);
const isConstant = (node) =>
  node.type === 'Literal' ||
  node.type === 'ArrowFunctionExpression' ||
  node.type === 'FunctionExpression' ||
  (node.type === 'UnaryExpression' && node.argument.type === 'Literal') ||
  (node.type === 'ArrayExpression' && node.elements.every(isConstant));

/** Finds where tables are used; one that is used while the bundle is run, assigned to, or whose name means something else anywhere, is left alone. */
function findUses(body, tables) {
  const visit = (node, parent, grandparent, isLater) => {
    if (node.type === 'Identifier' && tables.has(node.name) && !isName(node, parent)) {
      const table = tables.get(node.name);
      if (node === table.id) return;
      const isRead = parent.type === 'MemberExpression' && parent.object === node && !isTarget(parent, grandparent);
      if (!isLater || !(isRead || isValue(node, parent, grandparent))) table.isMadeAtOnce = true;
      table.uses.push({
        node,
        member: isRead && !parent.computed && !parent.optional ? parent : undefined,
        isShorthand: parent.type === 'Property' && parent.shorthand,
      });
    }
    const isFunction = /Function/.test(node.type);
    for (const key in node) {
      // Of `{ name }` both are one node.
      if (key === 'key' && node.shorthand) continue;
      for (const child of [node[key]].flat())
        if (typeof child?.type === 'string') visit(child, node, parent, isLater || isFunction);
    }
  };
  visit(body, undefined, undefined, false);
}

const isName = (node, parent) =>
  (parent.type === 'MemberExpression' && parent.property === node && !parent.computed) ||
  (/^(Property|MethodDefinition|PropertyDefinition)$/.test(parent.type) &&
    parent.key === node &&
    !parent.computed &&
    !parent.shorthand);
const isTarget = (member, parent) =>
  (parent.type === 'AssignmentExpression' && parent.left === member) ||
  parent.type === 'UpdateExpression' ||
  (parent.type === 'UnaryExpression' && parent.operator === 'delete');
/** Whether a name stands where only a value can. */
const isValue = (node, { type, arguments: args, value, init, shorthand }, { type: around }) =>
  ((type === 'CallExpression' || type === 'NewExpression') && args.includes(node)) ||
  (type === 'VariableDeclarator' && init === node) ||
  (type === 'Property' && around === 'ObjectExpression' && (value === node || shorthand));

function editsOf(name, { id, init, uses }) {
  const numbers = new Map(
    init.properties
      .filter(({ value }) => typeof value.value === 'number')
      .map(({ key, value }) => [key.name ?? key.value, value.value]),
  );
  const isNumber = ({ member }) => member !== undefined && numbers.has(member.property.name);
  const edits = uses
    .filter(isNumber)
    .map(({ member }) => ({ start: member.start, end: member.end, by: `${numbers.get(member.property.name)}` }));
  const others = uses.filter((use) => !isNumber(use));
  for (const { node, isShorthand } of others)
    edits.push({ start: node.start, end: node.end, by: isShorthand ? `${name}:${name}()` : `${name}()` });
  if (others.length === 0) return [...edits, { start: init.start, end: init.end, by: '0' }];
  return [
    ...edits,
    { start: id.start, end: id.start, by: `${name}_made,` },
    { start: init.start, end: init.start, by: `()=>${name}_made??=` },
  ];
}
