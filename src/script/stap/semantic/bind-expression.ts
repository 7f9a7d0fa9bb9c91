import type { Fetch } from '../../../probes/probe-definition.js';
import { BUILTINS, type BuiltinName, type BuiltinRow } from '../../builtins.js';
import { patternFault } from '../../posix-pattern.js';
import type {
  AssignTarget,
  Comparison,
  Conversion,
  HistogramShape,
  LongOperator,
  PrintFormat,
  ScriptExpression,
  SourcePlace,
} from '../../program.js';
import { COMPARISONS } from '../../program.js';
import { INTRINSICS } from '../intrinsics.js';
import { BadFormat, parsePrintFormat } from '../print-format.js';
import type {
  Access,
  AssignExpression,
  BinaryExpression,
  CallExpression,
  HistogramExpression,
  IndexExpression,
  PrintExpression,
  StapExpression,
  StatExpression,
  StepExpression,
  SymbolExpression,
  TargetExpression,
} from '../syntax-tree.js';
import type { BodyScope } from './body-scope.js';
import { type BoundExpression, type BoundGlobal, buildAs, buildCondition, typeOf } from './bound.js';
import { foldCondition } from './fold-condition.js';
import { fault, refuse, type ScriptToken, SemanticError, type SemanticFault, similarTo } from './semantic-error.js';
import { type CellType, TypeCell } from './type-cell.js';

type Of<K extends StapExpression['kind']> = Extract<StapExpression, { kind: K }>;
type Binders = { readonly [K in StapExpression['kind']]: (expression: Of<K>, scope: BodyScope) => BoundExpression };

const identifier = (name: string, { place }: { readonly place: ScriptToken['place'] }): ScriptToken => ({
  token: `identifier '${name}'`,
  place,
});
const operator = (name: string, { place }: { readonly place: ScriptToken['place'] }): ScriptToken => ({
  token: `operator '${name}'`,
  place,
});
/** The place of a token, as the runtime names it in its errors. */
export const placeOf = ({ token, place }: ScriptToken): SourcePlace => ({
  file: place.file,
  line: place.line,
  column: place.column,
  token,
});

/** The first token of an expression, for errors. */
export function tokenOfExpression(expression: StapExpression): ScriptToken {
  switch (expression.kind) {
    case 'long':
      return { token: `number '${expression.value}'`, place: expression.place };
    case 'string':
      return { token: `string '${expression.value}'`, place: expression.place };
    case 'symbol':
    case 'call':
    case 'print':
      return identifier(expression.name, expression);
    case 'index':
      return identifier(expression.of.kind === 'symbol' ? expression.of.name : '@hist', expression);
    case 'target':
      return identifier(`$${expression.name}`, expression);
    case 'binary':
    case 'assign':
    case 'unary':
    case 'step':
      return operator(expression.operator, expression);
    case 'ternary':
      return operator('?', expression);
    case 'stat':
      return operator(`@${expression.extract}`, expression);
    default:
      return operator(`@${expression.kind}`, expression);
  }
}

/** The token with which an expression begins. */
export function firstTokenOf(expression: StapExpression): ScriptToken {
  if (expression.kind === 'assign' || (expression.kind === 'step' && expression.isPost)) return firstTokenOf(expression.target);
  if (expression.kind === 'binary') return firstTokenOf(expression.left);
  if (expression.kind === 'ternary') return firstTokenOf(expression.condition);
  return tokenOfExpression(expression);
}

/** Says where the type of a cell was found; nothing if no token has told it. */
const firstInferred = ({ known, witness }: TypeCell): readonly SemanticFault[] =>
  witness === undefined ? [] : [{ message: `type was first inferred here (${known})`, ...witness }];

/** The types that this expression must have; @throws SemanticError if it has another */
function expect(bound: BoundExpression, wanted: CellType): BoundExpression {
  const { cell, token } = bound;
  if (cell.be(wanted, token)) return bound;
  const first = firstInferred(cell);
  if (first.length === 0 || !token.token.startsWith('identifier')) {
    return refuse('type expected', [wanted, cell.known ?? ''], token);
  }
  throw new SemanticError(fault('type mismatch', [wanted], token), ...first);
}

/** Two must have one type. @throws SemanticError as SystemTap words it */
export function agree(
  kept: TypeCell,
  given: TypeCell,
  token: ScriptToken,
  mismatch = (type: string): SemanticFault => fault('type mismatch', [type], token),
): void {
  if (kept.join(given, token)) return;
  throw new SemanticError(mismatch(given.known ?? ''), ...firstInferred(kept));
}

const LONG = TypeCell.of('long');
const longOf = (token: ScriptToken, build: () => ScriptExpression): BoundExpression => ({ cell: LONG, token, build });
const stringOf = (token: ScriptToken, build: () => ScriptExpression): BoundExpression => ({
  cell: TypeCell.of('string'),
  token,
  build,
});
const programValueOf = (token: ScriptToken, build: () => ScriptExpression): BoundExpression => ({
  cell: TypeCell.of('value'),
  token,
  build,
});
const asLong = (bound: BoundExpression): ScriptExpression => buildAs(bound, 'long');
const asString = (bound: BoundExpression): ScriptExpression => buildAs(bound, 'string');

/** Something that can be assigned to. */
interface BoundTarget {
  readonly cell: TypeCell;
  readonly token: ScriptToken;
  build(): AssignTarget;
}

/** @throws SemanticError for what is no variable */
function bindTarget(target: StapExpression, at: ScriptToken, scope: BodyScope, isRead: boolean): BoundTarget {
  const token = tokenOfExpression(target);
  if (target.kind === 'target') return refuse('read only', [`$${target.name}`], token);
  if (target.kind === 'symbol') {
    const local = scope.localOrGlobal(target.name, token);
    if ('slot' in local) {
      local.isAssigned = true;
      if (isRead) local.isRead = true;
      return { cell: local.cell, token, build: () => ({ op: 'local', slot: local.slot }) };
    }
    local.useWith(0, token);
    local.isWritten = true;
    if (isRead) local.isRead = true;
    return { cell: local.cell, token, build: () => ({ op: 'global', id: local.id }) };
  }
  if (target.kind === 'index' && target.of.kind === 'symbol') {
    const { global, keys } = bindElement(target, target.of, scope);
    global.isWritten = true;
    scope.checkChange(global, token);
    if (isRead) global.isRead = true;
    return {
      cell: global.cell,
      token,
      build: () => ({ op: 'element', id: global.id, keys: keys(), place: placeOf(token) }),
    };
  }
  throw new SemanticError(fault('lvalue', [], at), { message: '', ...token });
}

/** An array with its keys. `*` is refused. */
function bindElement({ keys }: IndexExpression, of: SymbolExpression, scope: BodyScope) {
  const token = identifier(of.name, of);
  const global = scope.arrayOf(of.name, keys.length, token);
  const cells = global.useWith(keys.length, token);
  const bound = keys.map((key, i) => {
    if (key === undefined) return refuse('not here', ['* stands for a key in delete, in and foreach only'], token);
    return bindKey(key, cells[i]!, scope, i);
  });
  const build = (): ScriptExpression[] => bound.map((key, i) => buildAs(key, typeOf(cells[i]!)));
  return { global, keys: build, token };
}

/** A key of an array, of which `cell` is the type. */
export function bindKey(key: StapExpression, cell: TypeCell, scope: BodyScope, place = 0): BoundExpression {
  const bound = bindExpression(key, scope);
  agree(cell, bound.cell, bound.token, (type) => fault('index type', [type, place], bound.token));
  return bound;
}

/** The aggregate that an operator is applied to. */
function bindStats(
  of: StapExpression,
  scope: BodyScope,
): { global: BoundGlobal; keys: () => ScriptExpression[]; token: ScriptToken } {
  const token = tokenOfExpression(of);
  if (of.kind === 'index' && of.of.kind === 'symbol') {
    const element = bindElement(of, of.of, scope);
    beStats(element.global, token);
    return element;
  }
  if (of.kind !== 'symbol') return refuse('stats expected', [], token);
  const global = scope.localOrGlobal(of.name, token);
  if ('slot' in global) return refuse('stats expected', [], token);
  global.useWith(0, token);
  beStats(global, token);
  return { global, keys: () => [], token };
}

function beStats(global: BoundGlobal, token: ScriptToken): void {
  if (global.cell.be('stats', token)) return;
  throw new SemanticError(fault('type mismatch', ['stats'], token), ...firstInferred(global.cell));
}

const shapeOf = (shape: HistogramExpression['shape']): HistogramShape => {
  if (shape.kind === 'log') return { kind: 'log' };
  const [from = 0n, to = 0n, step = 1n] = shape.parameters;
  return { kind: 'linear', from: Number(from), to: Number(to), step: Number(step) };
};

/** The most buckets of a linear histogram. */
const MOST_BUCKETS = 126;

function isCountable({ from, to, step }: Extract<HistogramShape, { kind: 'linear' }>): boolean {
  const buckets = (to - from) / step;
  return step > 0 && buckets >= 1 && buckets <= MOST_BUCKETS;
}

/** An aggregate whose histogram is wanted. */
export function bindHistogram({ of, shape, place }: HistogramExpression, scope: BodyScope) {
  const stats = bindStats(of, scope);
  const token = operator(shape.kind === 'log' ? '@hist_log' : '@hist_linear', { place });
  const wanted = shapeOf(shape);
  if (wanted.kind === 'linear' && !isCountable(wanted)) refuse('histogram buckets', [], token);
  stats.global.collect(wanted, undefined, token);
  stats.global.isRead = true;
  return { ...stats, token };
}

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

/** `@hist_log(x)[i]`, and `i in @hist_log(x)`, which is the same: how many samples a bucket has. */
function bindBucket(of: HistogramExpression, keys: IndexExpression['keys'], scope: BodyScope): BoundExpression {
  const { global, keys: built, token } = bindHistogram(of, scope);
  const [index] = keys;
  if (index === undefined || keys.length !== 1) return refuse('histogram place', [], token);
  const bound = expect(bindExpression(index, scope), 'long');
  return longOf(token, () => ({ op: 'bucket', id: global.id, keys: built(), index: asLong(bound), place: placeOf(token) }));
}

function bindStat({ extract, of, bits, place }: StatExpression, scope: BodyScope): BoundExpression {
  const { global, keys } = bindStats(of, scope);
  const token = operator(`@${extract}`, { place });
  global.collect(undefined, extract === 'variance' ? Number(bits ?? 0n) : undefined, token);
  global.isRead = true;
  return longOf(token, () => ({ op: 'extract', id: global.id, keys: keys(), what: extract, place: placeOf(token) }));
}

/** The runtime's function of this name that takes so many arguments. */
function intrinsicOf(name: string, args: number): BuiltinName | undefined {
  const builtin = Object.hasOwn(INTRINSICS, name) ? INTRINSICS[name] : undefined;
  if (builtin === undefined) return undefined;
  const row: BuiltinRow = BUILTINS[builtin];
  const most = row.params.length + (row.optional?.length ?? 0);
  return args >= row.params.length && args <= most ? builtin : undefined;
}

function bindIntrinsic(builtin: BuiltinName, expression: CallExpression, scope: BodyScope): BoundExpression {
  const token = tokenOfExpression(expression);
  const row: BuiltinRow = BUILTINS[builtin];
  const types = [...row.params, ...(row.optional ?? [])];
  const bound = expression.args.map((arg, i) => {
    const one = bindExpression(arg, scope);
    const wanted = types[i] as CellType;
    return wanted === 'value' ? one : expect(one, wanted);
  });
  const cell = row.returns === undefined ? new TypeCell() : TypeCell.of(row.returns as CellType);
  const build = (): ScriptExpression => ({
    op: 'builtin',
    name: builtin,
    args: bound.map((one, i) => buildAs(one, types[i] as CellType)),
    place: placeOf(token),
  });
  return { cell, token, build };
}

function bindCall(expression: CallExpression, scope: BodyScope): BoundExpression {
  const { name, args } = expression;
  const token = tokenOfExpression(expression);
  const intrinsic = intrinsicOf(name, args.length);
  const called = scope.functionOf(name, args.length, token, intrinsic !== undefined);
  if (called === undefined) return bindIntrinsic(intrinsic!, expression, scope);
  const bound = args.map((arg, i) => {
    const one = bindExpression(arg, scope);
    const parameter = called.parameters[i]!;
    if (!parameter.cell.join(one.cell, one.token)) {
      refuse('type expected', [one.cell.known ?? '', parameter.cell.known ?? ''], one.token);
    }
    return { one, parameter };
  });
  const build = (): ScriptExpression => ({
    op: 'call',
    index: called.index,
    args: bound.map(({ one, parameter }) => buildAs(one, typeOf(parameter.cell))),
  });
  return { cell: called.returns, token, build };
}

/** The fields and elements that follow a name of the program. */
function bindAccesses(base: Fetch, accesses: readonly Access[], scope: BodyScope, token: ScriptToken): BoundExpression {
  let fetch = base;
  let i = 0;
  // What is known when the script is compiled is a part of the fetch.
  for (; i < accesses.length; i++) {
    const access = accesses[i]!;
    const index = access.kind === 'element' && access.index.kind === 'long' ? String(access.index.value) : undefined;
    const key = access.kind === 'element' && access.index.kind === 'string' ? access.index.value : index;
    const name = access.kind === 'member' ? access.name : key;
    if (name === undefined) break;
    fetch = { kind: 'member', of: fetch, name };
  }
  const memberOf = bindKeys(accesses.slice(i), scope);
  return programValueOf(token, () => memberOf({ op: 'fetch', index: scope.fetch(fetch) }));
}

/** Properties whose names the script computes: makes an expression for that of a value. */
function bindKeys(accesses: readonly Access[], scope: BodyScope): (of: ScriptExpression) => ScriptExpression {
  const keys = accesses.map((access) => {
    if (access.kind === 'member') return (): ScriptExpression => ({ op: 'string', value: access.name });
    const index = bindExpression(access.index, scope);
    return (): ScriptExpression => (typeOf(index.cell) === 'string' ? index.build() : { op: 'to string', of: index.build() });
  });
  return (value) => keys.reduce<ScriptExpression>((of, key) => ({ op: 'member', of, key: key() }), value);
}

/** `$$parms` and its like: what the texts are made of. */
const ALL_VARIABLES: Readonly<Record<string, 'parameters' | 'return' | 'none'>> = {
  $parms: 'parameters',
  $vars: 'parameters',
  $locals: 'none',
  $return: 'return',
};

/** @throws SemanticError where the point has no such variable */
function bindTargetVariable(expression: TargetExpression, scope: BodyScope): BoundExpression {
  const { name, accesses, shown, isAddress, isVar } = expression;
  const token = tokenOfExpression(expression);
  const { variables } = scope;
  if (variables === undefined) return refuse('no target', [], token);
  if (isAddress) return refuse('not here', ['a variable of the program has no address here: use its value'], token);
  const all = ALL_VARIABLES[name];
  if (all !== undefined) return bindAll(all, scope, token);
  if (isVar) return bindModuleVariable(expression, scope, token);
  const [first] = accesses;
  if (!variables.isInFunction && Object.keys(variables.types).length === 0) return refuse('no target', [], token);
  const field = first?.kind === 'member' ? variables.fetch(name, first.name) : undefined;
  // Fields of events are integers and texts, but for those that stand for structs of the kernel.
  const isNone = field === undefined && first?.kind === 'member' && variables.typeOf !== undefined;
  const fetch = isNone ? undefined : (field ?? variables.fetch(name));
  if (fetch === undefined) {
    return refuse('no such target', [`$${name}`, similarTo(name, Object.keys(variables.types), ' (alternatives: ')], token);
  }
  const rest = field === undefined ? accesses : accesses.slice(1);
  const value = bindAccesses(fetch, rest, scope, token);
  const member = field === undefined ? undefined : (first as { readonly name: string }).name;
  const type = rest.length > 0 || shown !== undefined ? undefined : variables.typeOf?.(name, member);
  if (type === 'long') return longOf(token, () => ({ op: 'to long', of: value.build() }));
  if (type === 'string') return stringOf(token, () => ({ op: 'to string', of: value.build() }));
  if (shown === undefined) return value;
  return stringOf(token, () => ({ op: 'show', of: value.build(), isDeep: shown === 'deep' }));
}

function bindModuleVariable({ name, accesses }: TargetExpression, scope: BodyScope, token: ScriptToken): BoundExpression {
  const at = name.indexOf('@');
  return bindAccesses({ kind: 'symbol', name: at < 0 ? name : name.slice(0, at) }, accesses, scope, token);
}

function bindAll(all: 'parameters' | 'return' | 'none', scope: BodyScope, token: ScriptToken): BoundExpression {
  const { variables } = scope;
  if (all === 'parameters' && variables!.isInFunction) return stringOf(token, () => ({ op: 'parameters' }));
  const names = all === 'return' ? ['return'] : all === 'none' ? [] : Object.keys(variables!.types);
  const shown = names.flatMap((name) => {
    const fetch = variables!.fetch(name);
    return fetch === undefined ? [] : [{ name, fetch }];
  });
  return stringOf(token, () => ({
    op: 'sprintf',
    format: shown.flatMap(({ name }, i) => [`${i === 0 ? '' : ' '}${name}=`, PLAIN_TEXT]),
    args: shown.map(({ fetch }) => ({ op: 'show', of: { op: 'fetch', index: scope.fetch(fetch) }, isDeep: false })),
  }));
}

const PLAIN_TEXT: Conversion = { letter: 's', flags: '' };
const PLAIN_LONG: Conversion = { letter: 'd', flags: '' };

/** What a print prints. */
export interface BoundPrint {
  readonly token: ScriptToken;
  build(): { readonly format: PrintFormat; readonly args: readonly ScriptExpression[] };
}

/** @throws SemanticError for arguments that the format does not take */
export function bindPrint(expression: PrintExpression, scope: BodyScope): BoundPrint {
  const { withFormat, withDelimiter, withNewline, text, args } = expression;
  const token = tokenOfExpression(expression);
  if (withFormat) return bindFormatted(expression, scope, token);
  const histogram = args[0]?.kind === 'histogram' ? bindHistogram(args[0], scope) : undefined;
  const bound = histogram === undefined ? args.map((arg) => bindExpression(arg, scope)) : [];
  const build = () => {
    if (histogram !== undefined) {
      const { global, keys, token: at } = histogram;
      const shown: ScriptExpression = { op: 'histogram text', id: global.id, keys: keys(), place: placeOf(at) };
      return { format: [PLAIN_TEXT], args: [shown] };
    }
    const format: (string | Conversion)[] = [];
    bound.forEach(({ cell }, i) => {
      if (i > 0 && withDelimiter) format.push(text?.value ?? '');
      format.push(typeOf(cell) === 'long' ? PLAIN_LONG : PLAIN_TEXT);
    });
    if (withNewline) format.push('\n');
    return { format, args: bound.map((one) => buildAs(one, typeOf(one.cell) === 'long' ? 'long' : 'string')) };
  };
  return { token, build };
}

function bindFormatted({ text, args }: PrintExpression, scope: BodyScope, token: ScriptToken): BoundPrint {
  const format = parsePrintFormat(text?.value ?? '');
  if (format instanceof BadFormat) return refuse('not here', [format.why], token);
  const wanted = format.flatMap((part): CellType[] => {
    if (typeof part === 'string') return [];
    const stars = [part.width, part.precision].filter((size) => size === '*').map((): CellType => 'long');
    return [...stars, part.letter === 's' ? 'string' : part.letter === 'm' || part.letter === 'M' ? 'value' : 'long'];
  });
  if (wanted.length !== args.length) refuse('format arguments', [], token);
  const bound = args.map((arg, i) => {
    const one = bindExpression(arg, scope);
    const type = wanted[i]!;
    if (type !== 'value' && !one.cell.be(type, one.token)) refuse('type expected', [type, one.cell.known ?? ''], one.token);
    return one;
  });
  return { token, build: () => ({ format, args: bound.map((one, i) => buildAs(one, wanted[i]!)) }) };
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

function bindMember(
  of: BoundExpression,
  accesses: readonly Access[],
  shown: 'flat' | 'deep' | undefined,
  token: ScriptToken,
  scope: BodyScope,
): BoundExpression {
  const memberOf = bindKeys(accesses, scope);
  const build = (): ScriptExpression => memberOf(of.build());
  if (shown !== undefined) return stringOf(token, () => ({ op: 'show', of: build(), isDeep: shown === 'deep' }));
  return accesses.length === 0 ? { ...of, token } : programValueOf(token, build);
}

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
