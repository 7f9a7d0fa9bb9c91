import { patternFault } from '../../posix-pattern.js';
import { COMPARISONS, type Comparison, type LongOperator, type ScriptExpression } from '../../program.js';
import type {
  AssignExpression,
  BinaryExpression,
  IndexExpression,
  StapExpression,
  StepExpression,
  SymbolExpression,
} from '../syntax-tree.js';
import { bindElement, bindKey, bindTarget } from './bind-array.js';
import { bindCall } from './bind-call.js';
import { bindPrint } from './bind-print.js';
import { bindMember, bindTargetVariable } from './bind-program-value.js';
import { bindBucket, bindStat, bindStats } from './bind-stats.js';
import type { BodyScope } from './body-scope.js';
import { type BoundExpression, buildAs, buildCondition, typeOf } from './bound.js';
import { identifier, operator, placeOf, tokenOfExpression } from './expression-token.js';
import { foldCondition } from './fold-condition.js';
import { refuse, SemanticError } from './semantic-error.js';
import { TypeCell } from './type-cell.js';
import { agree, asLong, asString, expect, LONG, longOf, stringOf } from './type-rules.js';

type Of<K extends StapExpression['kind']> = Extract<StapExpression, { kind: K }>;

type Binders = { readonly [K in StapExpression['kind']]: (expression: Of<K>, scope: BodyScope) => BoundExpression };

const isComparison = (op: string): op is Comparison => (COMPARISONS as readonly string[]).includes(op);

function bindBinary(expression: BinaryExpression, scope: BodyScope): BoundExpression {
  const { operator: op } = expression;
  const token = tokenOfExpression(expression);
  const left = bindExpression(expression.left, scope);
  const right = bindExpression(expression.right, scope);
  if (op === '&&' || op === '||') {
    for (const side of [left, right]) if (side.cell.known !== 'value') expect(side, 'long');
    return longOf(token, () => ({ op, left: buildCondition(left), right: buildCondition(right) }));
  }
  if (op === '.') {
    for (const side of [left, right]) expect(side, 'string');
    return stringOf(token, () => ({ op: 'join', left: asString(left), right: asString(right) }));
  }
  if (isComparison(op)) {
    if (!left.cell.join(right.cell, right.token)) {
      refuse('type expected', [right.cell.known ?? '', left.cell.known ?? ''], left.token);
    }
    return longOf(token, () => {
      const known = typeOf(left.cell) === 'value' ? typeOf(right.cell) : typeOf(left.cell);
      // Two values of the program are equal as texts; only numbers are in order.
      const of = known === 'value' ? (op === '==' || op === '!=' ? 'string' : 'long') : known === 'string' ? 'string' : 'long';
      return { op: 'compare', operator: op, of, left: buildAs(left, of), right: buildAs(right, of) };
    });
  }
  if (op === '>>>') refuse('unsigned shift', []);
  for (const side of [left, right]) expect(side, 'long');
  return longOf(token, () => ({ op: 'binary', operator: op, left: asLong(left), right: asLong(right), place: placeOf(token) }));
}

function bindAssign(expression: AssignExpression, scope: BodyScope, isTaken = true): BoundExpression {
  const { operator: op, value: given } = expression;
  const token = tokenOfExpression(expression);
  if (op === '<<<') {
    const { global, keys, token: at } = bindStats(expression.target, scope);
    global.isWritten = true;
    const value = expect(bindExpression(given, scope), 'long');
    return longOf(token, () => ({
      op: 'add sample',
      id: global.id,
      keys: keys(),
      value: asLong(value),
      place: placeOf(at),
    }));
  }
  const target = bindTarget(expression.target, token, scope, isTaken && op !== '=');
  const value = bindExpression(given, scope);
  if (op === '=') {
    agree(target.cell, value.cell, target.token);
    return {
      cell: target.cell,
      token,
      build: () => ({ op: 'assign', target: target.build(), value: buildAs(value, typeOf(target.cell)) }),
    };
  }
  const type = op === '.=' ? 'string' : 'long';
  agree(target.cell, TypeCell.of(type), target.token);
  expect(value, type);
  return {
    cell: target.cell,
    token,
    build: () => ({
      op: 'update',
      target: target.build(),
      operator: op.slice(0, -1) as LongOperator | '.',
      value: buildAs(value, type),
      isPost: false,
      place: placeOf(token),
    }),
  };
}

function bindStep(expression: StepExpression, scope: BodyScope, isTaken = true): BoundExpression {
  const token = tokenOfExpression(expression);
  const target = bindTarget(expression.target, token, scope, isTaken);
  agree(target.cell, LONG, target.token);
  const one: ScriptExpression = { op: 'long', value: 1n };
  const build = (): ScriptExpression => ({
    op: 'update',
    target: target.build(),
    operator: expression.operator === '++' ? '+' : '-',
    value: one,
    isPost: expression.isPost,
    place: placeOf(token),
  });
  return { cell: target.cell, token, build };
}

/** The value of a global or local that is read. */
function bindSymbol(expression: SymbolExpression, scope: BodyScope): BoundExpression {
  const token = tokenOfExpression(expression);
  const found = scope.localOrGlobal(expression.name, token);
  found.isRead = true;
  if ('slot' in found) return { cell: found.cell, token, build: () => ({ op: 'local', slot: found.slot }) };
  found.useWith(0, token);
  return { cell: found.cell, token, build: () => ({ op: 'global', id: found.id }) };
}

function bindIndex(expression: IndexExpression, scope: BodyScope): BoundExpression {
  const token = tokenOfExpression(expression);
  const { of, keys } = expression;
  if (of.kind === 'symbol') {
    const { global, keys: built } = bindElement(expression, of, scope);
    global.isRead = true;
    return { cell: global.cell, token, build: () => ({ op: 'element', id: global.id, keys: built() }) };
  }
  return bindBucket(of, keys, scope);
}

const BINDERS: Binders = {
  long: ({ value, place }) => longOf({ token: `number '${value}'`, place }, () => ({ op: 'long', value })),
  string: ({ value, place }) => stringOf({ token: `string '${value}'`, place }, () => ({ op: 'string', value })),
  symbol: bindSymbol,
  index: bindIndex,
  call: bindCall,
  unary(expression, scope) {
    const token = tokenOfExpression(expression);
    const { operator: op } = expression;
    if (op === '&') return refuse('not here', ['a variable of the program has no address here: use its value'], token);
    const of = bindExpression(expression.of, scope);
    if (op === '!' && of.cell.known === 'value') return longOf(token, () => ({ op, of: of.build() }));
    expect(of, 'long');
    return longOf(token, () => (op === '+' ? asLong(of) : { op, of: op === '!' ? buildCondition(of) : asLong(of) }));
  },
  binary: bindBinary,
  ternary(expression, scope) {
    const token = tokenOfExpression(expression);
    const folded = foldCondition(expression.condition, (of) => isDefined(of, scope));
    if (folded !== undefined) return bindExpression(folded ? expression.yes : expression.no, scope);
    const condition = bindCondition(expression.condition, scope);
    const [yes, no] = [bindExpression(expression.yes, scope), bindExpression(expression.no, scope)];
    const cell = new TypeCell();
    for (const side of [yes, no]) agree(cell, side.cell, side.token);
    const build = (): ScriptExpression => {
      const type = typeOf(cell);
      return { op: 'choose', condition: condition(), yes: buildAs(yes, type), no: buildAs(no, type) };
    };
    return { cell, token, build };
  },
  assign: (expression, scope) => bindAssign(expression, scope),
  step: (expression, scope) => bindStep(expression, scope),
  in({ keys, over, place }, scope) {
    const token = operator('in', { place });
    if (over.kind !== 'symbol') return bindBucket(over, keys, scope);
    const at = identifier(over.name, over);
    const global = scope.arrayOf(over.name, keys.length, at);
    const cells = global.useWith(keys.length, at);
    global.isRead = true;
    const bound = keys.map((key, i) => (key === undefined ? undefined : bindKey(key, cells[i]!, scope, i)));
    return longOf(token, () => ({
      op: 'has',
      id: global.id,
      keys: bound.map((key, i) => (key === undefined ? undefined : buildAs(key, typeOf(cells[i]!)))),
    }));
  },
  match({ of, pattern, isNegated, place }, scope) {
    const bound = expect(bindExpression(of, scope), 'string');
    const wrong = patternFault(pattern.value);
    if (wrong !== undefined) refuse('regex', [wrong], tokenOfExpression(pattern));
    return longOf(operator(isNegated ? '!~' : '=~', { place }), () => ({
      op: 'match',
      of: asString(bound),
      pattern: pattern.value,
      isNegated,
    }));
  },
  target: bindTargetVariable,
  /** A value has its own type: a cast is the value. */
  cast({ of, accesses, shown, place }, scope) {
    return bindMember(bindExpression(of, scope), accesses, shown, operator('@cast', { place }), scope);
  },
  member({ of, accesses, shown, place }, scope) {
    return bindMember(bindExpression(of, scope), accesses, shown, operator('->', { place }), scope);
  },
  defined({ of, place }, scope) {
    const value = isDefined(of, scope) ? 1n : 0n;
    return longOf(operator('@defined', { place }), () => ({ op: 'long', value }));
  },
  entry({ of, place }, scope) {
    const token = operator('@entry', { place });
    if (scope.variables?.isReturn !== true) return refuse('entry place', [], token);
    const saved = bindExpression(of, scope);
    return { cell: saved.cell, token, build: () => ({ op: 'saved', index: scope.save(saved.build()) }) };
  },
  probewrite: ({ place }) => longOf(operator('@probewrite', { place }), () => ({ op: 'long', value: 0n })),
  perf: ({ place }) => refuse('not here', ['hardware counters are not offered: use timer.profile'], operator('@perf', { place })),
  stat: bindStat,
  histogram: ({ place }) => refuse('histogram place', [], operator('@hist', { place })),
  print(expression, scope) {
    const { isText } = expression;
    const print = bindPrint(expression, scope);
    if (!isText) return refuse('void value', [expression.name], print.token);
    return stringOf(print.token, () => ({ op: 'sprintf', ...print.build() }));
  },
  memory: ({ operator: op, place }) =>
    refuse('not here', ['the memory of a program is not read by address'], operator(op, { place })),
  'embedded expression': ({ place }) =>
    refuse('embedded', ['Write the expression in the language of the script'], { token: 'embedded-code', place }),
};

/** Whether a point has what `@defined` asks for. */
export function isDefined(of: StapExpression, scope: BodyScope): boolean {
  try {
    bindExpression(of, scope.trial());
    return true;
  } catch (error) {
    if (error instanceof SemanticError) return false;
    throw error;
  }
}

/** A condition: a number, or a value of the program. */
export function bindCondition(expression: StapExpression, scope: BodyScope): () => ScriptExpression {
  const bound = bindExpression(expression, scope);
  if (bound.cell.known !== 'value') expect(bound, 'long');
  return () => buildCondition(bound);
}

/** Finds the names of an expression. @throws SemanticError */
export function bindExpression(expression: StapExpression, scope: BodyScope): BoundExpression {
  return (BINDERS[expression.kind] as (one: StapExpression, scope: BodyScope) => BoundExpression)(expression, scope);
}

/** An expression whose value nothing takes: what it changes is not read by that, and so is printed at the end. */
export function bindEffect(expression: StapExpression, scope: BodyScope): BoundExpression {
  if (expression.kind === 'assign') return bindAssign(expression, scope, false);
  return expression.kind === 'step' ? bindStep(expression, scope, false) : bindExpression(expression, scope);
}
