import { visible } from '../base/visible.js';
import { CALL_FLAGS } from '../timeline/columns-format.js';
import type { TimeRange } from '../timeline/stacks.js';
import type { TimelineRecording } from '../timeline/timeline-recording.js';
import type { Chosen } from './state.js';
import { timeText } from './time-text.js';

/** A thing on the timeline in words: its title, and rows of what is known of it. */
export interface ChosenText {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, text: string])[];
}

/** The time of a thing on the timeline. */
export function rangeOf(recording: TimelineRecording, one: Chosen): TimeRange {
  if (one.type === 'call') {
    const row = recording.tracks[one.track]!.rows[one.depth]!;
    return { from: row.starts[one.index]!, to: row.end(one.index) };
  }
  if (one.type === 'slice') {
    const { start, duration } = recording.slice(one.index);
    return { from: start, to: start + duration };
  }
  const time = one.type === 'mark' ? recording.marks[one.index]!.time : recording.tracks[one.track]!.instants.times.at(one.index);
  return { from: time, to: time };
}

/** The function of a call; undefined for other things. */
export const functionOf = (recording: TimelineRecording, one: Chosen | undefined): number | undefined =>
  one?.type === 'call' ? recording.tracks[one.track]!.rows[one.depth]!.functions[one.index] : undefined;

/** What is known of a thing on the timeline. */
export function describe(recording: TimelineRecording, one: Chosen): ChosenText {
  const { from } = rangeOf(recording, one);
  const at = ['at', timeText(from - recording.from)] as const;
  if (one.type === 'call') return describeCall(recording, one, at);
  if (one.type === 'slice') {
    const { kind, title, duration, track } = recording.slice(one.index);
    const name = recording.sliceKinds[kind]?.name ?? '';
    return {
      title: visible(`${name} ${title}`),
      rows: [at, ['time', timeText(duration)], ['thread', trackName(recording, track)]],
    };
  }
  if (one.type === 'mark') {
    const { text, track } = recording.marks[one.index]!;
    return { title: `mark: ${visible(text)}`, rows: [at, ['thread', trackName(recording, track)]] };
  }
  const { kinds, texts, contexts } = recording.tracks[one.track]!.instants;
  const { system, name } = recording.instantKinds[kinds.at(one.index)]!;
  return {
    title: visible(`${system}:${name}`),
    rows: [
      at,
      ['event', visible(recording.texts.at(texts.at(one.index)))],
      ['task', String(contexts.at(one.index))],
      ['thread', trackName(recording, one.track)],
    ],
  };
}

const trackName = ({ tracks }: TimelineRecording, track: number): string => visible(tracks[track]?.track.name ?? '');

function describeCall(
  recording: TimelineRecording,
  { track, depth, index }: Extract<Chosen, { type: 'call' }>,
  at: readonly [string, string],
): ChosenText {
  const row = recording.tracks[track]!.rows[depth]!;
  const { name, where } = recording.functions[row.functions[index]!]!;
  const flags = row.flags[index]!;
  const time = row.callTime(index);
  const rows: (readonly [string, string])[] = [at, ['time', timeText(row.durations[index]!)]];
  if (time !== row.durations[index]) rows.push(['from call to return', timeText(time)]);
  if ((flags & CALL_FLAGS.unfinished) === 0) rows.push(['self time', timeText(row.self(index))]);
  const state = STATES.filter(([flag]) => (flags & flag) !== 0).map(([, words]) => words);
  if (state.length > 0) rows.push(['state', state.join(', ')]);
  if (where !== '') rows.push(['defined at', visible(where)]);
  const args = recording.texts.at(row.arguments?.[index] ?? -1);
  const result = recording.texts.at(row.results?.[index] ?? -1);
  if (args !== '') rows.push(['arguments', visible(args)]);
  if (result !== '') rows.push(['result', visible(result)]);
  rows.push(['thread', trackName(recording, track)], ['callers', callersOf(recording, track, depth, index)]);
  return { title: visible(name), rows };
}

const STATES = [
  [CALL_FLAGS.resumed, 'goes on after a wait'],
  [CALL_FLAGS.suspended, 'waits from here on'],
  [CALL_FLAGS.unfinished, 'its end was not recorded'],
] as const;

/** The callers that are named. */
const MOST_CALLERS = 10;

/** The names of the callers, the nearest first. */
function callersOf({ tracks, functions }: TimelineRecording, track: number, depth: number, index: number): string {
  const { rows } = tracks[track]!;
  const start = rows[depth]!.starts[index]!;
  const names: string[] = [];
  for (let below = depth - 1; below >= 0; below--) {
    const row = rows[below]!;
    const at = row.at(start);
    if (at >= 0) names.push(functions[row.functions[at]!]!.name);
  }
  const more = names.length > MOST_CALLERS ? ' ← ...' : '';
  return names.length === 0 ? 'none' : visible(names.slice(0, MOST_CALLERS).join(' ← ') + more);
}
