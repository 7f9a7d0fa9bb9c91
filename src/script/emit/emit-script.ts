import type { ScriptFunction, ScriptHandler, ScriptProgram } from '../program.js';
import { layoutOf } from '../runtime/layout.js';
import { STATUS } from '../runtime/script-memory.js';
import type { CodeTemplate, HandlerCode, ScriptCode } from '../script-code.js';
import type { ScriptType } from '../script-type.js';
import { Constants } from './constants.js';
import { emitCondition, emitExpression } from './emit-expression.js';
import { emitStatements } from './emit-statement.js';
import { type CodeNeeds, FunctionWriter, initialOf } from './function-writer.js';
import { changingGlobals, nodesOf, type Uses, usesOf } from './uses.js';
import { walk } from './walk.js';

/** Why a program could not be made into code. */
export class EmitError extends Error {
  override readonly name = 'EmitError';
}

type Point = ScriptHandler['point']['kind'];

/** While the script has this status a handler runs; others run while it is RUNNING. */
const RUNS_WHILE: Readonly<Partial<Record<Point, number>>> = {
  begin: STATUS.STARTING,
  end: STATUS.ENDING,
  error: STATUS.FAILED,
};

/** Points whose handlers the control thread runs: their limit of statements is another one, and they are not timed. */
const OWN: ReadonlySet<Point> = new Set(['begin', 'end', 'error', 'never', 'timer']);

/** Cuts a text where it has holes. */
function templateOf(text: string): CodeTemplate {
  const parts = text.split('\0');
  return {
    text: parts.filter((_, i) => i % 2 === 0),
    order: parts.filter((_, i) => i % 2 === 1).map(Number),
  };
}

const locals = (types: readonly ScriptType[], from = 0): string =>
  types
    .slice(from)
    .map((type, i) => `let $l${from + i} = ${initialOf(type)};\n`)
    .join('');

/** Fetches that stand at several places. */
function repeatedFetches(nodes: Parameters<typeof walk>[0]): ReadonlySet<number> {
  const seen = new Set<number>();
  const repeated = new Set<number>();
  walk(nodes, (node) => {
    if (!('op' in node) || node.op !== 'fetch') return;
    if (seen.has(node.index)) repeated.add(node.index);
    seen.add(node.index);
  });
  return repeated;
}

/** Statements of what does not count while it runs. */
function statementsIn(nodes: Parameters<typeof walk>[0]): number {
  let statements = 0;
  walk(nodes, (node) => {
    if ('do' in node && node.do !== 'block') statements++;
  });
  return statements;
}

/** A function of the script: its calls leave `s.nesting` to its caller, who counts it down. */
function emitFunction(needs: CodeNeeds, { locals: types, parameters, returns, body, place }: ScriptFunction): string {
  const { hasLoop, functions } = usesOf(needs.program, body);
  const isCounting = hasLoop || functions.size > 0;
  const writer = new FunctionWriter(needs, { locals: types, saves: [], kept: new Set(), isCounting });
  const statements = emitStatements(body, writer);
  const last = writer.isCounting && writer.pending > 0 ? `s.left -= ${writer.pending};\n` : '';
  const all = statementsIn(body);
  const first = isCounting || all === 0 ? '' : `if ((s.left -= ${all}) < 0) h.exceeded(s, ${writer.place(place)});\n`;
  const names = Array.from({ length: parameters }, (_, i) => `$l${i}`);
  return `function (${names.join(', ')}) {
h.enter(s, ${writer.place(place)});
${first}${locals(types, parameters)}${writer.declarations()}$b: {
${statements}${last}}
return ${returns === undefined ? '0' : initialOf(returns)};
}`;
}

/** What a handler does before its statements. */
interface Frame {
  readonly uses: Uses;
  readonly isLocked: boolean;
  readonly isCounting: boolean;
}

/** Whether a condition can be looked at before the lock is taken, and without statements before it. */
const isPlain = ({ read, written, functions }: Uses): boolean => read.size + written.size + functions.size === 0;

function emitHandler(
  needs: CodeNeeds,
  handler: ScriptHandler,
  index: number,
  changing: ReadonlySet<number>,
): { body: CodeTemplate; uses: Uses } {
  const { program } = needs;
  const { point, condition, body, saves } = handler;
  const uses = usesOf(program, nodesOf(handler));
  const isOwn = OWN.has(point.kind);
  const most = isOwn ? program.limits.MAXACTION_INTERRUPTIBLE : program.limits.MAXACTION;
  const statements = statementsIn(body);
  const frame: Frame = {
    uses,
    isLocked: [...uses.read, ...uses.written].some((id) => changing.has(id) || uses.written.has(id)),
    isCounting: uses.hasLoop || uses.functions.size > 0 || statements >= most,
  };
  const kept = repeatedFetches(nodesOf(handler));
  const writer = new FunctionWriter(needs, { locals: handler.locals, saves, kept, isCounting: frame.isCounting });
  const test = condition === undefined ? '' : emitCondition(condition, writer);
  const isFirst = condition !== undefined && isPlain(usesOf(program, [condition]));
  const text = emitStatements(body, writer);
  const rest =
    frame.isCounting && writer.pending > 0
      ? `if ((s.left -= ${writer.pending}) <= 0) h.exceeded(s, ${writer.place(body.at(-1)?.place)});\n`
      : '';
  const inside = `${isFirst || test === '' ? '' : `if (!${test}) break $b;\n`}${text}${rest}`;
  const keptFetches = [...kept].map((fetch) => `let $f${fetch} = h.NONE;\n`).join('');
  const before = `${keptFetches}${locals(handler.locals)}${writer.declarations()}${isFirst ? `if (!${test}) return;\n` : ''}`;
  return { body: templateOf(wrapped(handler, index, frame, { before, inside, most, isOwn })), uses };
}

function wrapped(
  { point }: ScriptHandler,
  index: number,
  { uses, isLocked, isCounting }: Frame,
  { before, inside, most, isOwn }: { before: string; inside: string; most: number; isOwn: boolean },
): string {
  // The script ended because of the time that it takes.
  const time = isOwn ? '' : 'const $d = (++s.ticks & 63) === s.timed ? s.timing() : 0;\n';
  const spent = isOwn ? '' : 'if ($d !== 0) s.spent($d);\n';
  const counted = isCounting ? `s.left = ${most};\n` : '';
  const nesting = uses.functions.size > 0 ? 's.nesting = 0;\n' : '';
  const seen = uses.reads.size > 0 ? `s.at = at;\ns.handler = ${index};\n` : '';
  const release = isLocked
    ? ' finally {\nif (s.inOrder) { s.words[1] = 0; if (s.words[2] !== 0) h.wake(s); } else h.unlock(s);\n}'
    : '';
  return `if (s.words[0] !== ${RUNS_WHILE[point.kind] ?? STATUS.RUNNING}) return;
${before}${time}${isLocked ? 'if (!s.lock()) return;\n' : ''}s.hits[${index}]++;
${counted}${nesting}${seen}try {
$b: {
${inside}}
} catch ($e) { s.failed($e); }${release}
${spent}`;
}

/** What the entry of a call computes for the end: an array. A name's fetch is that of the entry. */
function emitSaves(needs: CodeNeeds, { saves }: ScriptHandler, index: number): CodeTemplate | undefined {
  if (saves.length === 0) return undefined;
  const uses = usesOf(needs.program, saves);
  const writer = new FunctionWriter(needs, { locals: [], saves, kept: new Set(), isCounting: false });
  const values = saves.map((save) => emitExpression(save, writer)).join(', ');
  const isLocked = uses.read.size + uses.written.size > 0;
  return templateOf(`if (s.words[0] !== ${STATUS.RUNNING}) return undefined;
${writer.declarations()}${isLocked ? 'if (!s.lock()) return undefined;\n' : ''}s.left = ${needs.program.limits.MAXACTION};
s.nesting = 0;
s.at = at;
s.handler = ${index};
try { return [${values}]; } catch ($e) { s.failed($e); return undefined; }${isLocked ? ' finally { h.unlock(s); }' : ''}
`);
}

/** Makes the code of a program. No text or name of the script stands in it. @throws EmitError if it is nested too deeply */
export function emitScript(program: ScriptProgram): ScriptCode {
  try {
    return emit(program);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new EmitError('the script has expressions or statements that are nested too deeply');
  }
}

function emit(program: ScriptProgram): ScriptCode {
  const { language, globals, limits, printedAtEnd } = program;
  const constants = new Constants();
  const layout = layoutOf(program);
  const needs: CodeNeeds = { program, layout, constants, formats: [] };
  const changing = changingGlobals(program);
  const functions = `return [${program.functions.map((one) => emitFunction(needs, one)).join(',\n')}];`;
  const handlers = program.handlers.map((handler, index): HandlerCode => {
    const { body, uses } = emitHandler(needs, handler, index, changing);
    const saves = emitSaves(needs, handler, index);
    const reads = new Set([...uses.reads, ...usesOf(program, handler.saves).reads]);
    const { point, name, resolvedName, fetches } = handler;
    return { point, name, resolvedName, fetches, body, ...(saves && { saves }), reads: [...reads] };
  });
  return { language, functions, constants: constants.all, handlers, globals, formats: needs.formats, limits, printedAtEnd };
}
