import { posixPattern } from '../posix-pattern.js';
import type { AssignTarget, Comparison, LongOperator, ScriptExpression } from '../program.js';
import type { ScriptType } from '../script-type.js';
import { type FunctionWriter, hole, isConstant, pathsOf } from './function-writer.js';
import { typeOf } from './types-of.js';

/** Expressions of a script as JavaScript, of the variables that script-code.ts names. */

type Of<K extends ScriptExpression['op']> = Extract<ScriptExpression, { op: K }>;
type Emit = { readonly [K in ScriptExpression['op']]: (expression: Of<K>, writer: FunctionWriter) => string };

const OPERATORS: Readonly<Record<LongOperator, string>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<<': 'shiftLeft',
  '>>': 'shiftRight',
  '>>>': 'shiftRightUnsigned',
};

const COMPARED: Readonly<Record<Comparison, string>> = { '==': '===', '!=': '!==', '<': '<', '<=': '<=', '>': '>', '>=': '>=' };

const long = (value: bigint): string => {
  const wrapped = BigInt.asIntN(64, value);
  const code = wrapped >= -9007199254740991n && wrapped <= 9007199254740991n ? String(wrapped) : `${wrapped}n`;
  return wrapped < 0n ? `(${code})` : code;
};

/** An operation on two longs. A division by 0 is an error in SystemTap; in bpftrace it gives 0, and a rest what is divided. */
function binary(
  { operator, isUnsigned = false, place }: Pick<Of<'binary'>, 'operator' | 'isUnsigned' | 'place'>,
  left: string,
  right: string,
  writer: FunctionWriter,
): string {
  if (operator !== '/' && operator !== '%') return `h.${OPERATORS[operator]}(${left}, ${right})`;
  const name = `${OPERATORS[operator]}${isUnsigned ? 'Unsigned' : ''}`;
  if (/^[1-9]\d*$/.test(right)) return `h.${name}(${left}, ${right})`;
  const isError = writer.program.language === 'stap';
  return `h.divided(s, h.${name}, ${left}, ${right}, ${operator === '%'}, ${isError ? writer.place(place) : 'undefined'})`;
}

/** A `value` as what globals keep: an integer or a text. */
const kept = (code: string, type: ScriptType): string => (type === 'value' ? `h.keep(s, ${code})` : code);

/** The parts of what is stored, as expressions of what is evaluated already. */
interface Parts {
  /** Comma expressions that come first. */
  readonly before: readonly string[];
  readonly parts: readonly string[];
}

/** Evaluates expressions once, in their order, and gives their parts. */
function partsOf(expressions: readonly ScriptExpression[], writer: FunctionWriter): Parts {
  const before: string[] = [];
  const parts = expressions.flatMap((expression): readonly string[] => {
    if (expression.op === 'tuple') {
      const inner = partsOf(expression.elements, writer);
      before.push(...inner.before);
      return inner.parts;
    }
    const type = typeOf(expression, writer);
    const code = kept(emitExpression(expression, writer), type);
    if (isConstant(code)) return [code];
    const name = writer.temporary();
    before.push(`${name} = ${code}`);
    return pathsOf(type).map((path) => `${name}${path}`);
  });
  return { before, parts };
}

/** Comma expressions; the last is the value. */
const sequence = (...codes: readonly string[]): string =>
  codes.length === 1 && !codes[0]!.includes(' = ') ? codes[0]! : `(${codes.join(', ')})`;

const table = (id: number): string => `s.arrays[${id}]`;

/** How an array's entry is looked up. */
interface LookUp {
  /** Comma expressions that evaluate the key. */
  readonly before: readonly string[];
  /** Comma expressions that put the key where the array looks it up. */
  readonly puts: readonly string[];
  /** The entry, or 0. */
  readonly find: string;
  /** The entry, which is made. */
  readonly insert: (full: string) => string;
}

/** A key of one integer is looked up as it is. */
function lookUp(id: number, keys: readonly ScriptExpression[], writer: FunctionWriter): LookUp {
  const { before, parts } = partsOf(keys, writer);
  const { keys: types } = writer.program.globals[id]!;
  if (types.length === 1 && types[0] === 'long') {
    const key = parts[0]!;
    return {
      before,
      puts: [],
      find: `${table(id)}.findLong(${key})`,
      insert: (full) => `h.entryLong(s, ${table(id)}, ${key}, ${full})`,
    };
  }
  return {
    before,
    puts: parts.map((part, n) => `${table(id)}.put(${n}, ${part})`),
    find: `${table(id)}.find()`,
    insert: (full) => `h.entry(s, ${table(id)}, ${full})`,
  };
}

/** The statement that deletes an entry. */
export function emitRemoval(id: number, keys: readonly ScriptExpression[], writer: FunctionWriter): string {
  const { before, puts, find } = lookUp(id, keys, writer);
  return sequence(...before, ...puts, `${table(id)}.remove(${find})`);
}

/** The value of an entry, whose place is `entry`. */
function valueAt(id: number, entry: string, type: ScriptType): string {
  if (type === 'long') return `${table(id)}.long(${entry})`;
  return shaped(type, (n) => `${table(id)}.value(${entry}, ${n})`);
}

/** A value of its parts: nested arrays of a tuple. */
export function shaped(type: ScriptType, part: (n: number) => string): string {
  let n = 0;
  const build = (one: ScriptType): string => (typeof one === 'object' ? `[${one.tuple.map(build).join(', ')}]` : part(n++));
  return build(type);
}

/** Reads an element. */
function element({ id, keys }: { id: number; keys: readonly ScriptExpression[] }, writer: FunctionWriter): string {
  const { type } = writer.program.globals[id]!;
  const { before, puts, find } = lookUp(id, keys, writer);
  if (typeof type !== 'object') return sequence(...before, ...puts, valueAt(id, find, type));
  const entry = writer.temporary();
  return sequence(...before, ...puts, `${entry} = ${find}`, valueAt(id, entry, type));
}

/** What is said if there is no room for an element. */
const fullOf = (target: Extract<AssignTarget, { op: 'element' }>, writer: FunctionWriter): string => {
  const { isSized = false, maxEntries } = writer.program.globals[target.id]!;
  return `${writer.place(target.place)}, ${isSized ? maxEntries : 0}`;
};

const scalarLeaves = (id: number, writer: FunctionWriter): readonly { kind: string; at: number }[] => {
  const layout = writer.needs.layout.globals[id]!;
  return layout.kind === 'scalar' ? layout.leaves : [];
};

/** Reads a scalar. */
function scalar(id: number, writer: FunctionWriter): string {
  const leaves = scalarLeaves(id, writer);
  const { type } = writer.program.globals[id]!;
  if (type === 'long') return `h.readLong(s.view, ${leaves[0]!.at})`;
  return shaped(type, (n) => `h.readLeaf(s.view, '${leaves[n]!.kind}', ${leaves[n]!.at})`);
}

/** Writes a scalar: what does so with the parts of a value. */
function writeScalar(id: number, parts: readonly string[], writer: FunctionWriter): readonly string[] {
  const leaves = scalarLeaves(id, writer);
  const layout = writer.needs.layout.globals[id]!;
  const set = writer.program.language === 'bpftrace' && layout.kind === 'scalar' ? [`s.words[${layout.setAt}] = 1`] : [];
  const writes = parts.map((part, n) =>
    leaves[n]!.kind === 'long'
      ? `h.writeLong(s.view, ${leaves[n]!.at}, ${part})`
      : `h.writeLeaf(s.view, '${leaves[n]!.kind}', ${leaves[n]!.at}, ${part})`,
  );
  return [...writes, ...set];
}

function assign({ target, value }: Of<'assign'>, writer: FunctionWriter): string {
  const type = typeOf(target, writer);
  const code = emitExpression(value, writer);
  if (target.op === 'local') return `$l${target.slot} = ${code}`;
  const name = writer.temporary();
  const parts = pathsOf(type).map((path) => `${name}${path}`);
  // A tuple may have parts that are values; those of its expression were kept as what they are.
  const stored = type === 'value' ? `${name} = h.keep(s, ${code})` : `${name} = ${code}`;
  if (target.op === 'global') return sequence(stored, ...writeScalar(target.id, parts, writer), name);
  const { before, puts, insert } = lookUp(target.id, target.keys, writer);
  const entry = writer.temporary();
  return sequence(
    ...before,
    stored,
    ...puts,
    `${entry} = ${insert(fullOf(target, writer))}`,
    ...parts.map((part, n) =>
      type === 'long' ? `${table(target.id)}.setLong(${entry}, ${part})` : `${table(target.id)}.set(${entry}, ${n}, ${part})`,
    ),
    name,
  );
}

function update(expression: Of<'update'>, writer: FunctionWriter): string {
  const { target, operator, isPost, place } = expression;
  const isJoin = operator === '.';
  const value = emitExpression(expression.value, writer);
  const apply = (old: string, by: string): string =>
    isJoin ? `h.join(s, ${old}, ${by})` : binary({ operator, place }, old, by, writer);
  const result = writer.temporary();
  // The value first, as C does: it may change what it is applied to.
  const by = isConstant(value) ? value : writer.temporary();
  const first = by === value ? [] : [`${by} = ${value}`];
  if (target.op === 'local') {
    const local = `$l${target.slot}`;
    if (!isPost) return sequence(...first, `${local} = ${apply(local, by)}`);
    return sequence(...first, `${result} = ${local}`, `${local} = ${apply(result, by)}`, result);
  }
  const old = writer.temporary();
  const give = isPost ? old : result;
  if (target.op === 'global') {
    return sequence(
      ...first,
      `${old} = ${scalar(target.id, writer)}`,
      `${result} = ${apply(old, by)}`,
      ...writeScalar(target.id, [result], writer),
      give,
    );
  }
  const { before, puts, insert } = lookUp(target.id, target.keys, writer);
  const entry = writer.temporary();
  const set = isJoin ? `${table(target.id)}.set(${entry}, 0, ${result})` : `${table(target.id)}.setLong(${entry}, ${result})`;
  return sequence(
    ...before,
    ...first,
    ...puts,
    `${entry} = ${insert(fullOf(target, writer))}`,
    `${old} = ${isJoin ? `${table(target.id)}.value(${entry}, 0)` : `${table(target.id)}.long(${entry})`}`,
    `${result} = ${apply(old, by)}`,
    set,
    give,
  );
}

/** The key of an aggregate as an array. */
export function keyArray(keys: readonly ScriptExpression[], writer: FunctionWriter): string {
  const { before, parts } = partsOf(keys, writer);
  return sequence(...before, `[${parts.join(', ')}]`);
}

/** A text that was there before: V8 has its hash. Other texts are mostly made for the look-up alone. */
const isLasting = ({ op }: ScriptExpression): boolean => op === 'builtin' || op === 'string';

/** The entry of an aggregate, and what is evaluated before. */
function entryOf(
  id: number,
  keys: readonly ScriptExpression[],
  writer: FunctionWriter,
): { readonly before: readonly string[]; readonly entry: string } {
  const aggregate = `s.tables[${id}]`;
  const [key] = keys;
  if (keys.length === 1 && key !== undefined && !isLasting(key) && typeOf(key, writer) === 'string') {
    // What becomes a text only here is looked up as it is: no pass over it for its length.
    const isMade = key.op === 'to string' && typeOf(key.of, writer) === 'value';
    const name = writer.temporary();
    return {
      before: [`${name} = ${emitExpression(isMade ? key.of : key, writer)}`],
      entry: `h.entryText(s, ${aggregate}, ${name})`,
    };
  }
  const { before, parts } = partsOf(keys, writer);
  if (parts.length > 2) return { before, entry: `${aggregate}.entryOf([${parts.join(', ')}])` };
  return { before, entry: `${aggregate}.entry${parts.length}(${parts.join(', ')})` };
}

function addSample({ id, keys, value, place }: Of<'add sample'>, writer: FunctionWriter): string {
  const sample = writer.temporary();
  const aggregate = `s.tables[${id}]`;
  // The maximum of bpftrace is 0 at first.
  const isGreatest = writer.program.language === 'bpftrace' && writer.program.globals[id]!.stats?.shows === 'max';
  const given = (add: string): string => (isGreatest ? `${sample} > 0 ? ${add} : 0` : add);
  const valued = (): string => `${sample} = ${emitExpression(value, writer)}`;
  if (keys.length === 0) return sequence(valued(), given(`${aggregate}.add(${aggregate}.first, ${sample})`), sample);
  const { before, entry: found } = entryOf(id, keys, writer);
  const first = [...before, valued()];
  const { isSized = false, maxEntries } = writer.program.globals[id]!;
  const full = `${writer.place(place)}, ${isSized ? maxEntries : 0}`;
  const entry = writer.temporary();
  const add = `((${entry} = ${found}) < 0 ? h.full(s, ${full}) : ${aggregate}.add(${entry}, ${sample}))`;
  return sequence(...first, given(add), sample);
}

function compare({ operator, of, left, right, isUnsigned }: Of<'compare'>, writer: FunctionWriter): string {
  const [a, b] = [emitExpression(left, writer), emitExpression(right, writer)];
  const isEquality = operator === '==' || operator === '!=';
  if (isEquality) return `${a} ${COMPARED[operator]} ${b}`;
  if (of === 'string') return `h.compareTexts(${a}, ${b}) ${operator} 0`;
  if (isUnsigned !== true) return `${a} ${operator} ${b}`;
  const [less, isNegated] =
    operator === '<' || operator === '>=' ? [`${a}, ${b}`, operator === '>='] : [`${b}, ${a}`, operator === '<='];
  return `${isNegated ? '!' : ''}h.isBelow(${less})`;
}

/** The expression as a condition of JavaScript. */
export function emitCondition(expression: ScriptExpression, writer: FunctionWriter): string {
  if (expression.op === 'compare') return `(${compare(expression, writer)})`;
  if (expression.op === '&&' || expression.op === '||') {
    return `(${emitCondition(expression.left, writer)} ${expression.op} ${emitCondition(expression.right, writer)})`;
  }
  if (expression.op === '!') return `!${emitCondition(expression.of, writer)}`;
  const type = typeOf(expression, writer);
  const code = emitExpression(expression, writer);
  if (type === 'value') return `!!${code}`;
  return type === 'string' || type === 'stack' ? `(${code} !== '')` : `(${code} !== 0)`;
}

const truth = (expression: ScriptExpression, writer: FunctionWriter): string => `(${emitCondition(expression, writer)} ? 1 : 0)`;

const EMIT: Emit = {
  long: ({ value }) => long(value),
  string: ({ value }, writer) => (value === '' ? "''" : writer.text(value)),
  local: ({ slot }) => `$l${slot}`,
  global: ({ id }, writer) => scalar(id, writer),
  element,
  assign: (expression, writer) => `(${assign(expression, writer)})`,
  update,
  has({ id, keys }, writer) {
    const known = keys.filter((key) => key !== undefined);
    const isStats = writer.program.globals[id]!.type === 'stats';
    if (known.length < keys.length) return `h.hasSome${isStats ? 'Stats' : ''}(s, ${id}, ${sliceArray(keys, writer)})`;
    if (isStats) return `h.hasStats(s, ${id}, ${keyArray(known, writer)})`;
    const { before, puts, find } = lookUp(id, known, writer);
    return `(${sequence(...before, ...puts, find)} !== 0 ? 1 : 0)`;
  },
  parameters: () => 'h.parameters(s)',
  'add sample': addSample,
  extract: ({ id, keys, what, place }, writer) =>
    `h.extract(s, ${id}, '${what}', ${keyArray(keys, writer)}, ${writer.place(place)})`,
  bucket: ({ id, keys, index, place }, writer) =>
    `h.bucket(s, ${id}, ${keyArray(keys, writer)}, ${emitExpression(index, writer)}, ${writer.place(place)})`,
  'histogram text': ({ id, keys, place }, writer) =>
    `h.histogramText(s, ${id}, ${keyArray(keys, writer)}, ${writer.place(place)})`,
  '-': ({ of }, writer) => `h.negate(${emitExpression(of, writer)})`,
  '~': ({ of }, writer) => `h.not(${emitExpression(of, writer)})`,
  '!': truth,
  binary: (expression, writer) =>
    binary(expression, emitExpression(expression.left, writer), emitExpression(expression.right, writer), writer),
  compare: truth,
  '&&': truth,
  '||': truth,
  choose: ({ condition, yes, no }, writer) =>
    `(${emitCondition(condition, writer)} ? ${emitExpression(yes, writer)} : ${emitExpression(no, writer)})`,
  join: ({ left, right }, writer) => `h.join(s, ${emitExpression(left, writer)}, ${emitExpression(right, writer)})`,
  match({ of, pattern, isNegated }, writer) {
    const matches = `h.matches(s, ${writer.needs.constants.pattern(posixPattern(pattern))}, ${emitExpression(of, writer)})`;
    return isNegated ? `(1 - ${matches})` : matches;
  },
  call({ index, args }, writer) {
    const result = writer.temporary();
    const called = `F[${index}](${args.map((arg) => emitExpression(arg, writer)).join(', ')})`;
    return sequence(`${result} = ${called}`, 's.nesting--', result);
  },
  builtin: ({ name, args }, writer) =>
    `h.builtins.${name}(${['s', ...args.map((arg) => emitExpression(arg, writer))].join(', ')})`,
  fetch({ index }, writer) {
    if (!writer.kept.has(index)) return `(${hole(index)})`;
    return `($f${index} === h.NONE ? $f${index} = (${hole(index)}) : $f${index})`;
  },
  saved: (expression, writer) => `h.saved(saved, ${expression.index}, ${initial(typeOf(expression, writer))})`,
  'to long'({ of, size = 8, isSigned = true }, writer) {
    const type = typeOf(of, writer);
    const code = emitExpression(of, writer);
    if (type === 'long') return size === 8 ? code : `h.cutLong(${code}, ${size}, ${isSigned})`;
    return type === 'value' ? `h.toLong(s, ${code}, ${size}, ${isSigned})` : '0';
  },
  'to string'({ of }, writer) {
    const type = typeOf(of, writer);
    const code = emitExpression(of, writer);
    if (type === 'long') return `h.decimal(${code})`;
    if (type === 'value') return `h.textOf(s, ${code})`;
    return type === 'stack' ? `h.stackText(${code}, 8)` : code;
  },
  show: ({ of, isDeep }, writer) => `h.shown(s, ${emitExpression(of, writer)}, ${isDeep})`,
  member: ({ of, key }, writer) => `h.member(s, ${emitExpression(of, writer)}, ${emitExpression(key, writer)})`,
  sprintf: ({ format, args }, writer) => {
    const { before, parts } = partsOf(args, writer);
    return sequence(...before, `h.sprintf(s, ${writer.format(format)}, [${parts.join(', ')}])`);
  },
  tuple: ({ elements }, writer) =>
    `[${elements.map((one) => kept(emitExpression(one, writer), typeOf(one, writer))).join(', ')}]`,
  'tuple element': ({ of, index }, writer) => `${emitExpression(of, writer)}[${index}]`,
};

const initial = (type: ScriptType): string => (type === 'string' || type === 'stack' ? "''" : '0');

/** The code of an expression: a long is a number or a bigint, a tuple an array. */
export const emitExpression = <K extends ScriptExpression['op']>(expression: Of<K>, writer: FunctionWriter): string =>
  (EMIT[expression.op as K] as (expression: Of<K>, writer: FunctionWriter) => string)(expression, writer);

/** Keys of which some are any: an array, with h.NONE for these. */
export const sliceArray = (keys: readonly (ScriptExpression | undefined)[], writer: FunctionWriter): string =>
  `[${keys.map((one) => (one === undefined ? 'h.NONE' : keptExpression(one, writer))).join(', ')}]`;

/** An expression as it is stored, of what is no tuple. */
const keptExpression = (expression: ScriptExpression, writer: FunctionWriter): string =>
  kept(emitExpression(expression, writer), typeOf(expression, writer));

/** The arguments of a print, evaluated: longs, texts, and which they are. */
export function emitArguments(
  args: readonly ScriptExpression[],
  writer: FunctionWriter,
): readonly { readonly code: string; readonly isLong: boolean }[] {
  return args.map((arg) => {
    const type = typeOf(arg, writer);
    return { code: kept(emitExpression(arg, writer), type), isLong: type === 'long' };
  });
}
