import { NONE } from './call-row.js';
import type { CallAddress, TimelineRecording } from './timeline-recording.js';

/** What a word was found in. */
export interface SearchResult {
  /** Functions by name, package or file: their numbers. */
  readonly functions: ReadonlySet<number>;
  /** Texts of arguments, results and events: their numbers. */
  readonly texts: ReadonlySet<number>;
  /** Kinds of events. */
  readonly instants: ReadonlySet<number>;
  /** Indexes of slices and marks. */
  readonly slices: readonly number[];
  readonly marks: readonly number[];
}

/** Something that was found, at its time. */
export type Hit =
  | ({ readonly type: 'call'; readonly time: number } & CallAddress)
  | { readonly type: 'instant'; readonly time: number; readonly track: number; readonly index: number }
  | { readonly type: 'slice'; readonly time: number; readonly index: number }
  | { readonly type: 'mark'; readonly time: number; readonly index: number };

/** Searches a recording for a text, without regard to case. The words between blanks must all be found. */
export function search(recording: TimelineRecording, query: string): SearchResult {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string): boolean => {
    const lower = text.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
  if (words.length === 0) return { functions: new Set(), texts: new Set(), instants: new Set(), slices: [], marks: [] };
  const numbersOf = <One>(all: readonly One[], textOf: (one: One) => string): number[] =>
    all.flatMap((one, index) => (has(textOf(one)) ? [index] : []));
  const texts = recording.texts.containing(words);
  return {
    functions: new Set(numbersOf(recording.functions, ({ name, where, file }) => `${name} ${file} ${where}`)),
    texts,
    instants: new Set(numbersOf(recording.instantKinds, ({ system, name }) => `${system}:${name}`)),
    slices: slicesWith(recording, texts),
    marks: numbersOf(recording.marks, ({ text }) => text),
  };
}

/** The slices with a title of these texts. */
function slicesWith({ slices: { titles } }: TimelineRecording, texts: ReadonlySet<number>): readonly number[] {
  const found: number[] = [];
  if (texts.size > 0) for (const [index, text] of titles.all.entries()) if (texts.has(text)) found.push(index);
  return found;
}

/** Whether nothing was found. */
export const isNothing = ({ functions, texts, instants, slices, marks }: SearchResult): boolean =>
  functions.size + texts.size + instants.size + slices.length + marks.length === 0;

/**
 * The hit nearest to a time in one direction, not at the time itself.
 * @param step 1 for later, -1 for earlier
 */
export function nextHit(recording: TimelineRecording, found: SearchResult, time: number, step: 1 | -1): Hit | undefined {
  let best: Hit | undefined;
  const take = (hit: Hit): void => {
    if ((hit.time - time) * step > 0 && (best === undefined || (best.time - hit.time) * step > 0)) best = hit;
  };
  const isBeyond = (at: number): boolean => best !== undefined && (at - best.time) * step > 0;
  for (const index of found.slices) take({ type: 'slice', time: recording.slices.starts.at(index), index });
  for (const index of found.marks) take({ type: 'mark', time: recording.marks[index]!.time, index });
  for (const { index: track, rows, instants } of recording.tracks) {
    for (const row of rows) {
      const { starts, functions, count, depth } = row;
      const isHit = (at: number): boolean =>
        found.functions.has(functions[at]!) ||
        (row.arguments !== undefined && row.arguments[at] !== NONE && found.texts.has(row.arguments[at]!)) ||
        (row.results !== undefined && row.results[at] !== NONE && found.texts.has(row.results[at]!));
      let at = firstBehind(starts, count, time, step);
      while (at >= 0 && at < count && !isBeyond(starts[at]!) && !isHit(at)) at += step;
      if (at >= 0 && at < count && isHit(at)) take({ type: 'call', time: starts[at]!, track, depth, index: at });
    }
    const times = instants.times.all;
    let at = firstBehind(times, times.length, time, step);
    const isHit = (index: number): boolean =>
      found.instants.has(instants.kinds.at(index)) || found.texts.has(instants.texts.at(index));
    while (at >= 0 && at < times.length && !isBeyond(times[at]!) && !isHit(at)) at += step;
    if (at >= 0 && at < times.length && isHit(at)) take({ type: 'instant', time: times[at]!, track, index: at });
  }
  return best;
}

/** The first of sorted times behind a time, in a direction. */
function firstBehind(times: Float64Array, count: number, time: number, step: 1 | -1): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (step === 1 ? times[middle]! <= time : times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return step === 1 ? low : low - 1;
}

/** How many calls of each of some functions there are. */
export function countCalls({ tracks }: TimelineRecording, functions: ReadonlySet<number>): ReadonlyMap<number, number> {
  const counts = new Map([...functions].map((func) => [func, 0]));
  for (const { rows } of tracks) {
    for (const { functions: called, count } of rows) {
      for (let at = 0; at < count; at++) {
        const known = counts.get(called[at]!);
        if (known !== undefined) counts.set(called[at]!, known + 1);
      }
    }
  }
  return counts;
}
