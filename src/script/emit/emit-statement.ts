import type { ScriptStatement, SourcePlace } from '../program.js';
import { emitArguments, emitCondition, emitExpression, emitRemoval, keyArray, shaped, sliceArray } from './emit-expression.js';
import type { FunctionWriter } from './function-writer.js';

/**
 * Statements of a script as JavaScript. Those of a counting function are counted against MAXACTION where SystemTap counts them:
 * before loops and branches, at the end of blocks, and at each turn.
 */

type Of<K extends ScriptStatement['do']> = Extract<ScriptStatement, { do: K }>;
type Emit = { readonly [K in ScriptStatement['do']]: (statement: Of<K>, writer: FunctionWriter) => string };

/** Counts statements; `now`: those that were not counted yet, too. */
function count(writer: FunctionWriter, statements: number, place: SourcePlace | undefined, now: boolean): string {
  writer.pending += statements;
  if (!now || writer.pending === 0) return '';
  const { pending } = writer;
  writer.pending = 0;
  return writer.isCounting ? `if ((s.left -= ${pending}) <= 0) h.exceeded(s, ${writer.place(place)});\n` : '';
}

/** A statement below another one: what it has is counted at its end. */
function branch(statements: readonly ScriptStatement[], place: SourcePlace | undefined, writer: FunctionWriter): string {
  const body = emitStatements(statements, writer);
  return `{\n${body}${count(writer, 0, statements.at(-1)?.place ?? place, true)}}`;
}

/** Prints longs and texts as one record; the control thread formats it. */
function print({ format, args, place }: Of<'print'>, writer: FunctionWriter): string {
  const emitted = emitArguments(args, writer);
  const number = writer.format(format);
  const names = emitted.map(() => writer.temporary());
  const evaluate = emitted.map(({ code }, i) => `${names[i]} = ${code};\n`).join('');
  const fixed = 3 * emitted.filter(({ isLong }) => isLong).length;
  const texts = names.filter((_, i) => !emitted[i]!.isLong);
  const put = emitted.map(({ isLong }, i) => `h.${isLong ? 'putLong' : 'putPart'}(s, ${names[i]});`).join(' ');
  const size = [fixed, ...texts.map((name) => `h.roomOf(${name})`)].join(' + ');
  const write = `if (h.open(s, ${number}, ${size})) { ${put} s.ring.commit(); }\n`;
  const counted = count(writer, 1, place, false);
  if (texts.length === 0) return `${evaluate}${write}${counted}`;
  // What finds no room in a page is formatted here.
  return `${evaluate}if (${size} > h.MOST_WORDS) h.printWhole(s, ${number}, [${names.join(', ')}]);\nelse ${write}${counted}`;
}

function foreach(statement: Of<'foreach'>, writer: FunctionWriter): string {
  const { id, keys, value, slice = [], order, limit, body, place } = statement;
  const global = writer.program.globals[id]!;
  const isStats = global.type === 'stats';
  const [all, i, entry] = [writer.temporary(), writer.temporary(), writer.temporary()];
  const slices = slice.map((one) => one && { name: writer.temporary(), code: emitExpression(one, writer) });
  const by =
    order === undefined
      ? 'undefined'
      : `${order.by}, '${order.extract ?? (isStats && order.by === 0 ? 'count' : '')}', ${order.isDescending}`;
  const most = limit === undefined ? 'undefined' : emitExpression(limit, writer);
  const begin = slices.map((one) => (one === undefined ? '' : `${one.name} = ${one.code};\n`)).join('');
  const visit = `${all} = h.visit${isStats ? 'Stats' : ''}(s, ${id}, ${most}, ${by});\n`;
  let part = 0;
  const table = `s.arrays[${id}]`;
  const keyPart = (): string => (isStats ? `${entry}.key[${part++}]` : `${table}.key(${entry}, ${part++})`);
  const assigned = global.keys.map((type, n) => `$l${keys[n]} = ${shaped(type, keyPart)};\n`).join('');
  const filter = slices.map((one, n) => (one === undefined ? '' : `if ($l${keys[n]} !== ${one.name}) continue;\n`)).join('');
  const read =
    value === undefined || isStats ? '' : `$l${value} = ${shaped(global.type, (n) => `${table}.value(${entry}, ${n})`)};\n`;
  const visited = isStats ? writer.temporary() : '';
  const isGone = isStats ? `${visited}.entry = ${entry};\n` : `if (!${table}.isThere(${entry})) continue;\n`;
  const head = count(writer, 1, place, true);
  writer.pending = 1;
  const inner = emitStatements(body, writer);
  const turn = count(writer, 0, body.at(-1)?.place ?? place, true);
  const loop = `for (${i} = 0; ${i} < ${all}.length; ${i}++) {
${entry} = ${all}[${i}];
${isGone}${assigned}${filter}${read}${inner}${turn}}\n`;
  if (!isStats) return `${begin}${visit}${head}${loop}`;
  return `${begin}${visit}${head}${visited} = h.beginVisit(s, ${id});\ntry {\n${loop}} finally { h.endVisit(s, ${id}, ${visited}); }\n`;
}

function foreachBucket({ id, keys, bucket, value, limit, body, place }: Of<'foreach bucket'>, writer: FunctionWriter): string {
  const [all, i] = [writer.temporary(), writer.temporary()];
  const most = limit === undefined ? 'undefined' : emitExpression(limit, writer);
  const visit = `${all} = h.buckets(s, ${id}, ${keyArray(keys, writer)}, ${most});\n`;
  const head = count(writer, 1, place, true);
  writer.pending = 1;
  const inner = emitStatements(body, writer);
  const turn = count(writer, 0, body.at(-1)?.place ?? place, true);
  const read = value === undefined ? '' : `$l${value} = ${all}[${i}];\n`;
  return `${visit}${head}for (${i} = 0; ${i} < ${all}.length; ${i}++) {\n$l${bucket} = ${i};\n${read}${inner}${turn}}\n`;
}

const jump =
  (code: string) =>
  ({ place }: { readonly place?: SourcePlace }, writer: FunctionWriter): string =>
    `${count(writer, 1, place, true)}${code}\n`;

const EMIT: Emit = {
  expression: ({ expression, place }, writer) => `${emitExpression(expression, writer)};\n${count(writer, 1, place, false)}`,
  print,
  if({ condition, yes, no, place }, writer) {
    const head = count(writer, 1, place, writer.isCounting);
    const then = `${head}if (${emitCondition(condition, writer)}) ${branch(yes, place, writer)}`;
    return no.length === 0 ? `${then}\n` : `${then} else ${branch(no, place, writer)}\n`;
  },
  while({ condition, body, step, place }, writer) {
    const head = count(writer, 1, place, true);
    const test = emitCondition(condition, writer);
    const after = step === undefined ? '' : emitExpression(step, writer);
    writer.pending = 1;
    const inner = emitStatements(body, writer);
    return `${head}for (; ${test}; ${after}) {\n${inner}${count(writer, 0, body.at(-1)?.place ?? place, true)}}\n`;
  },
  foreach,
  'foreach bucket': foreachBucket,
  break: jump('break;'),
  continue: jump('continue;'),
  next: jump('break $b;'),
  return({ value, place }, writer) {
    const counted = count(writer, 1, place, true);
    if (value === undefined) return `${counted}break $b;\n`;
    const name = writer.temporary();
    return `${name} = ${emitExpression(value, writer)};\n${counted}return ${name};\n`;
  },
  try({ body, caught, handler, place }, writer) {
    const nesting = writer.temporary();
    const inner = branch(body, place, writer);
    const message = caught === undefined ? 'h.caught(s, $e)' : `$l${caught} = h.caught(s, $e)`;
    writer.pending = 1;
    const handled = branch(handler, place, writer);
    return `${nesting} = s.nesting;\ntry ${inner} catch ($e) {\n${message};\ns.nesting = ${nesting};\n${handled}\n}\n`;
  },
  delete({ id, keys, place }, writer) {
    const counted = count(writer, 1, place, false);
    const isStats = writer.program.globals[id]!.type === 'stats';
    if (keys === undefined) return `h.${isStats ? 'clearStats' : 'clear'}(s, ${id});\n${counted}`;
    const known = keys.filter((key) => key !== undefined);
    if (!isStats && keys.length > 0 && known.length === keys.length) return `${emitRemoval(id, known, writer)};\n${counted}`;
    const key = known.length === keys.length ? keyArray(known, writer) : sliceArray(keys, writer);
    return `h.${isStats ? 'deleteStats' : 'deleteKey'}(s, ${id}, ${key});\n${counted}`;
  },
  'print map': ({ id, top, div, place }, writer) =>
    `h.printMap(s, ${id}, ${[top, div].map((one) => (one === undefined ? '0' : emitExpression(one, writer))).join(', ')});\n${count(writer, 1, place, false)}`,
  'print element': ({ id, keys, place }, writer) =>
    `h.printElement(s, ${id}, ${keyArray(keys, writer)});\n${count(writer, 1, place, false)}`,
  zero: ({ id, place }, writer) => `h.zero(s, ${id});\n${count(writer, 1, place, false)}`,
  block({ body, place }, writer) {
    return `{\n${emitStatements(body, writer)}${count(writer, 0, place, true)}}\n`;
  },
};

export const emitStatement = <K extends ScriptStatement['do']>(statement: Of<K>, writer: FunctionWriter): string =>
  (EMIT[statement.do as K] as (statement: Of<K>, writer: FunctionWriter) => string)(statement, writer);

export const emitStatements = (statements: readonly ScriptStatement[], writer: FunctionWriter): string =>
  statements.map((statement) => emitStatement(statement, writer)).join('');
