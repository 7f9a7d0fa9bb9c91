import { grouped } from '../../base/grouped.js';
import { visibleLine } from '../../base/visible.js';
import type { AnswerStyle } from '../answer.js';
import { foldedLine } from '../own-code.js';
import type { Place } from '../place.js';
import { placeText } from '../place-text.js';
import { variablesText, variableText } from '../variables-text.js';
import type { BtAnswer, BtFrame, BtNativeThread, BtThread } from './bt-answer.js';

const STATES: Readonly<Record<BtThread['state'], string>> = {
  running: 'runs',
  idle: 'waits in its event loop',
  held: 'is held by a debugger',
  blocked: 'does not answer',
};
/** Behind a call that no table says to be the caller of the one above. */
const GUESSED = '  (by the frame pointer)';
/** Before the place of a function of which it is not known where it is. */
const BEGINS = 'begins at ';
const DIM = '\u001b[2m';
const BOLD = '\u001b[1m';
const PLAIN = '\u001b[0m';

/** A line for each thread, and below it one for each call, the innermost first. */
export function btText(value: BtAnswer, style: AnswerStyle): readonly string[] {
  const placed = { folder: value.application, ...style };
  const threads = value.threads.map((thread) => [headOf(thread), ...framesOf(thread, placed), ...noteOf(thread.nativeNote)]);
  const blocks = [...threads, ...othersOf(value.others ?? [], placed)];
  const lines = blocks.flatMap((block, i) => [...(i > 0 ? [''] : []), ...block]);
  return value.note === undefined ? lines : [...lines, '', visibleLine(value.note)];
}

const noteOf = (note: string | undefined): readonly string[] => (note === undefined ? [] : [`  ${visibleLine(note)}`]);

/** Threads that do the same are one. */
function othersOf(others: readonly BtNativeThread[], style: AnswerStyle): readonly (readonly string[])[] {
  const groups = new Map<string, { readonly tids: number[]; readonly head: NativeHead; readonly lines: readonly string[] }>();
  for (const { tid, name, doing, frames, cut, end } of others) {
    const why = frames.length === 0 ? 'Its calls are not shown' : 'Who has called the last one is not known';
    const lines = [...framesOf({ frames, ...(cut && { cut }) }, style), ...noteOf(end && `${why}: ${end}.`)];
    const key = JSON.stringify([name, doing, lines]);
    const group = groups.get(key) ?? { tids: [], head: { name, doing }, lines };
    group.tids.push(tid);
    groups.set(key, group);
  }
  return Array.from(groups.values(), ({ tids, head: { name, doing }, lines }) => {
    const title = `thread${tids.length === 1 ? '' : 's'}${name === '' ? '' : ` '${visibleLine(name)}'`}`;
    return [`${title} (${tids.join(', ')}): ${visibleLine(doing)}`, ...lines];
  });
}

type NativeHead = Pick<BtNativeThread, 'name' | 'doing'>;

function headOf({ thread, name, tid, state, doing }: BtThread): string {
  const title = thread === 0 ? 'main thread' : `worker ${thread}${name === '' ? '' : ` '${visibleLine(name)}'`}`;
  const words = doing === undefined ? STATES[state] : visibleLine(doing);
  return `${title}${tid === undefined ? '' : ` (${tid})`}: ${words}`;
}

/** Calls that stand together, and are the application's own, or are not. */
interface Run {
  readonly isOwn: boolean;
  readonly frames: readonly BtFrame[];
}

function framesOf({ frames, cut }: Pick<BtThread, 'frames' | 'cut'>, style: AnswerStyle): readonly string[] {
  if (cut === undefined) return foldedLines(frames, style);
  const left = cut.count === undefined ? '  ... more calls: the stack is full' : `  ... ${callsText(cut.count)} more`;
  return [...foldedLines(frames.slice(0, cut.after), style), left, ...foldedLines(frames.slice(cut.after), style)];
}

const callsText = (count: number): string => `${grouped(count)} call${count === 1 ? '' : 's'}`;

/**
 * The lines of calls: of those that are not the application's, the one that it has called is shown, and the innermost one if it
 * is machine code; the others are one line.
 */
function foldedLines(frames: readonly BtFrame[], style: AnswerStyle): readonly string[] {
  const shows = (list: readonly BtFrame[]): readonly string[] => list.flatMap((frame) => frameLines(frame, style));
  const isAll = style.all === true || frames.every(({ isOwn, isNative }) => !isOwn && !isNative);
  if (isAll) return shows(frames);
  const runs = runsOf(frames);
  return runs.flatMap((run, i) => {
    if (run.isOwn) return shows(run.frames);
    const first = i === 0 && run.frames[0]!.isNative ? 1 : 0;
    const last = Math.max(first, run.frames.length - (i === runs.length - 1 ? 0 : 1));
    const folded = run.frames.slice(first, last);
    const lines = folded.length === 1 ? shows(folded) : foldOf(folded, style);
    return [...shows(run.frames.slice(0, first)), ...lines, ...shows(run.frames.slice(last))];
  });
}

function runsOf(frames: readonly BtFrame[]): readonly Run[] {
  const runs: { isOwn: boolean; frames: BtFrame[] }[] = [];
  for (const frame of frames) {
    if (runs.at(-1)?.isOwn === frame.isOwn) runs.at(-1)!.frames.push(frame);
    else runs.push({ isOwn: frame.isOwn, frames: [frame] });
  }
  return runs;
}

function foldOf(frames: readonly BtFrame[], { colours }: AnswerStyle): readonly string[] {
  if (frames.length === 0) return [];
  const packages = [...new Set(frames.map((frame) => frame.package ?? 'others'))];
  const line = `  ... ${foldedLine({ packages, functions: frames.length })}`;
  return [colours ? `${DIM}${line}${PLAIN}` : line];
}

function frameLines(frame: BtFrame, style: AnswerStyle): readonly string[] {
  const { name, place, package: from, isAsync, isBeginning, byFramePointer, arguments: values = [], locals = [], isOwn } = frame;
  const shown = visibleLine(name);
  const title = `${isAsync ? 'async ' : ''}${style.colours && isOwn ? `${BOLD}${shown}${PLAIN}` : shown}`;
  const where = place === undefined ? '' : `  ${isBeginning ? BEGINS : ''}${placeText(place, style)}`;
  const package_ = from === undefined ? '' : ` [${visibleLine(from)}]`;
  const around = 2 + shown.length + (isAsync ? 6 : 0) + package_.length + (place === undefined ? 0 : plainLength(place, style));
  const list = frame.arguments === undefined ? '' : variablesText(values, (style.width ?? Number.POSITIVE_INFINITY) - around);
  const guess = byFramePointer ? GUESSED : '';
  return [`  ${title}${list}${package_}${where}${guess}`, ...locals.map((local) => `      ${variableText(local)}`)];
}

const plainLength = (place: Place, { folder }: AnswerStyle): number => placeText(place, { folder }).length + 2;
