import type { AnyNode } from './parse.js';
import { nextToken } from './statements.js';

/**
 * Where V8 has a frame that resolves a promise with a value, or waits for it: nothing of that is a call in the source, so V8
 * takes the last place that it noted while it compiled the value, in the order of the code. All offsets are in UTF-16 units.
 */

type Find = (source: string, node: AnyNode, before: number) => number;

const LAST_PLACE: Readonly<Record<string, Find>> = {
  CallExpression: callPlace,
  NewExpression: (_source, { start }) => start,
  TaggedTemplateExpression: (_source, { quasi }) => quasi.start,
  MemberExpression: memberPlace,
  AssignmentExpression: (source, { left, operator }) => source.indexOf(operator, left.end),
  AwaitExpression: (_source, { start }) => start,
  ChainExpression: (source, { expression }, before) => lastPlace(source, expression, before),
  ParenthesizedExpression: (source, { expression }, before) => lastPlace(source, expression, before),
  SequenceExpression: (source, { expressions }) => lastInBranch(source, expressions.at(-1)),
  LogicalExpression: (source, { right }) => lastInBranch(source, right),
  ConditionalExpression: (source, { alternate }) => lastInBranch(source, alternate),
  ArrayExpression: (source, { elements }, before) => lastOf(source, elements, before),
};

/** The last place in the code of `node`, an expression; `before` is the last one before it. */
export function lastPlace(source: string, node: AnyNode, before: number): number {
  return LAST_PLACE[node.type]?.(source, node, before) ?? before;
}

/** V8 notes the place of an expression that it may jump to. */
const lastInBranch = (source: string, node: AnyNode): number => lastPlace(source, node, node.start);

const lastOf = (source: string, nodes: readonly (AnyNode | null)[], before: number): number =>
  nodes.reduce((place, node) => (node === null ? place : lastPlace(source, node, place)), before);

/** Names of properties after which V8 takes a call's parenthesis, because they are words of the language. */
const RESERVED = new Set(
  `break case catch class const continue debugger default delete do else enum export extends false finally for function if
  import in instanceof new null return switch this throw true try typeof var void while with`.split(/\s+/),
);

/** The name before the arguments, or else their parenthesis. */
function callPlace(source: string, { callee, optional }: AnyNode): number {
  const open = source.indexOf('(', callee.end);
  const isBare = !optional && source.slice(callee.end, open).trim() === '';
  if (isBare && callee.type === 'Identifier') return callee.start;
  const isNamed = isBare && callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && !callee.computed;
  return isNamed && !RESERVED.has(callee.property.name) ? callee.property.start : open;
}

function memberPlace(source: string, { object, property, computed, optional }: AnyNode): number {
  if (optional) return source.indexOf('?.', object.end);
  return computed ? source.indexOf('[', object.end) : property.start;
}

/** Statements that have the place of the statement, and so has what they evaluate first. */
const STATEMENTS = /^(Expression|Return|If|Throw|Switch)Statement$/;

/** By the type of the node around it: the field that is evaluated first, before any code. */
const FIRST: Readonly<Record<string, string>> = {
  MemberExpression: 'object',
  CallExpression: 'callee',
  TaggedTemplateExpression: 'tag',
  ChainExpression: 'expression',
  BinaryExpression: 'left',
  LogicalExpression: 'left',
  ConditionalExpression: 'test',
  UnaryExpression: 'argument',
  SpreadElement: 'argument',
  ParenthesizedExpression: 'expression',
};

/** By the type of the node around it: the fields whose code begins with a place of its own. */
const BRANCHES: Readonly<Record<string, readonly string[]>> = {
  VariableDeclarator: ['init'],
  WhileStatement: ['test'],
  DoWhileStatement: ['test'],
  ForStatement: ['init', 'test', 'update'],
  ForOfStatement: ['right'],
  ForInStatement: ['right'],
  ArrowFunctionExpression: ['body'],
};

/**
 * The last place before the wait `node` has evaluated its operand. `ancestors` are the nodes around it, outermost first.
 */
export function placeOfWait(node: AnyNode, ancestors: readonly AnyNode[]): number {
  let inner = node;
  for (let i = ancestors.length - 1; i >= 0; i--) {
    const outer = ancestors[i] as AnyNode;
    if (STATEMENTS.test(outer.type)) return outer.start;
    if (BRANCHES[outer.type]?.some((field) => outer[field] === inner)) return inner.start;
    if (outer.type === 'SequenceExpression') {
      if (outer.expressions[0] !== inner) return inner.start;
    } else if (outer.type === 'AssignmentExpression') {
      if (outer.left.type !== 'Identifier' || outer.operator !== '=') break;
    } else if (outer.type === 'TemplateLiteral') {
      if (outer.expressions[0] !== inner) break;
    } else if (outer[FIRST[outer.type] ?? ''] !== inner) break;
    inner = outer;
  }
  return node.argument.start;
}

/** Operators that V8 joins: `a + b + c` is one operation, with the place of `a`. */
const JOINED = /^(?:[-+*/%&|^]|<<|>>>?|&&|\|\||\?\?)$/;

type OwnPlace = (source: string, node: AnyNode) => number;

/** By the type of an expression: V8's place of it, where that is not its start. */
const OWN_PLACE: Readonly<Record<string, OwnPlace>> = {
  CallExpression: callPlace,
  TaggedTemplateExpression: (_source, { quasi }) => quasi.start,
  MemberExpression: (source, { object, property, computed }) =>
    computed || followsCall(object) ? nextToken(source, object.end) : property.start,
  AssignmentExpression: (source, { left }) => nextToken(source, left.end),
  BinaryExpression: operationPlace,
  LogicalExpression: operationPlace,
  UpdateExpression: (source, { prefix, argument, end }) => (prefix ? ownPlace(source, argument) : end - 2),
  ParenthesizedExpression: (source, { expression }) => ownPlace(source, expression),
  SequenceExpression: (source, { expressions: [first, second, third] }) => (third ? ownPlace(source, first) : second.start),
  // V8 has no place for it, and takes the start of the text.
  ChainExpression: () => 0,
};

const ownPlace: OwnPlace = (source, node) => OWN_PLACE[node.type]?.(source, node) ?? node.start;

/** Whether an object is what a call returned, or a property of that. */
const followsCall = ({ type, object, tag }: AnyNode): boolean =>
  type === 'CallExpression' ||
  (type === 'MemberExpression' && followsCall(object)) ||
  (type === 'TaggedTemplateExpression' && followsCall(tag));

function operationPlace(source: string, { left, operator, right }: AnyNode): number {
  let inner = left;
  let isJoined = false;
  for (;;) {
    while (inner.type === 'ParenthesizedExpression') inner = inner.expression;
    if (inner.operator !== operator || !inner.left || !JOINED.test(operator)) break;
    isJoined = true;
    inner = inner.left;
  }
  if (isJoined) return ownPlace(source, inner);
  return operator === '??' ? right.start : nextToken(source, left.end);
}

/** The variable that an expression reads before anything else, if it begins with one. */
function firstRead(node: AnyNode): AnyNode | undefined {
  let inner: AnyNode = node;
  for (;;) {
    const { type, left, right, operator, expressions, properties } = inner;
    if (type === 'Identifier') return inner;
    if (type === 'AssignmentExpression') inner = left.type !== 'MemberExpression' && operator === '=' ? right : left;
    else if (type === 'SequenceExpression') inner = expressions[0];
    else if (type === 'ObjectExpression' && properties[0]?.type === 'SpreadElement') inner = properties[0];
    else {
      const field = type === 'UpdateExpression' ? 'argument' : FIRST[type];
      if (field === undefined) return undefined;
      inner = inner[field];
    }
  }
}

/**
 * Where V8 has an arrow whose body is the expression `body` while it reads the first variable of that: V8 gives the place of the
 * expression to the `return` that it makes of the body. `body.start` if it does not begin with a variable other than the arrow's
 * parameters, whose reading cannot fail.
 */
export function placeOfReturn(source: string, body: AnyNode, parameters: readonly AnyNode[]): number {
  const read = firstRead(body);
  return read === undefined || parameters.some(({ name }) => name === read.name) ? body.start : ownPlace(source, body);
}

const NEVER_OBJECT = /^(Literal|TemplateLiteral|UnaryExpression|BinaryExpression|UpdateExpression)$/;

/** Whether a promise that is resolved with the value may ask it for `then`. */
export const mayBeThenable = ({ type, name, regex, expression }: AnyNode): boolean =>
  type === 'ParenthesizedExpression'
    ? mayBeThenable(expression)
    : regex !== undefined || !(NEVER_OBJECT.test(type) || (type === 'Identifier' && name === 'undefined'));
