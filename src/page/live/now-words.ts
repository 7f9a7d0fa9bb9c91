import type { BtAnswer, BtFrame, BtThread } from '../../answers/bt/bt-answer.js';
import type { ProcessLoad } from '../../answers/live/live-answer.js';
import { placeText } from '../../answers/place-text.js';
import { visibleLine } from '../../base/visible.js';

/** What a thread does, for a count of looks: the function that it was in, or that it waited. */
export interface Seen {
  readonly words: string;
  /** The function of the application that was innermost. Absent: it was in none. */
  readonly frame?: BtFrame;
}

/** The innermost call of the application's own code; without one, the innermost of all. */
export const ownCall = ({ frames }: BtThread): BtFrame | undefined => frames.find(({ isOwn }) => isOwn) ?? frames[0];

/** What a thread does, in words that follow its name. */
export function threadWords(thread: BtThread, folder: string): string {
  const { state, doing } = thread;
  if (state === 'idle') return doing === undefined ? 'waits for the next event: nothing is to do' : visibleLine(doing);
  const call = ownCall(thread);
  const where = call?.place === undefined ? '' : ` at ${placeText(call.place, { folder })}`;
  const inside = call === undefined ? '' : `${visibleLine(call.name)}${where}`;
  if (state === 'held') return `is held by a debugger${inside === '' ? '' : ` in ${inside}`}`;
  if (state === 'blocked') return `${visibleLine(doing ?? 'does not answer')}${inside === '' ? '' : `, in ${inside}`}`;
  const [innermost] = thread.frames;
  const called = call === undefined || innermost === call ? '' : `, which has called ${visibleLine(innermost!.name)}`;
  return `${doing === undefined ? 'runs' : `${visibleLine(doing)}, in`} ${inside || 'JavaScript'}${called}`;
}

/** What a look at the main thread has seen. */
export function seenOf({ threads }: BtAnswer): Seen {
  const [main] = threads;
  if (main === undefined) return { words: 'no thread has answered' };
  const frame = ownCall(main);
  if (main.state === 'idle') return { words: 'waits for the next event' };
  if (frame === undefined) return { words: visibleLine(main.doing ?? main.state) };
  return { words: visibleLine(frame.name), frame };
}

/** Looks that are alike, the most frequent first. */
export function countSeen(looks: readonly Seen[]): readonly { readonly seen: Seen; readonly count: number }[] {
  const counts = new Map<string, { seen: Seen; count: number }>();
  for (const seen of looks) {
    const key = `${seen.words}\n${seen.frame?.place?.file}:${seen.frame?.place?.line}`;
    const known = counts.get(key);
    counts.set(key, { seen, count: (known?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

/** `38 % of a core, 190 MB of memory, 12 threads`: what the system says, between two readings. */
export function loadText(now: ProcessLoad, before: ProcessLoad | undefined): string {
  const cpu = before === undefined ? [] : [`${Math.round((100 * (now.cpu - before.cpu)) / (now.at - before.at))} % of a core`];
  return [...cpu, `${Math.round(now.bytes / 1e6)} MB of memory`, `${now.threads} threads of the system`].join(', ');
}

/** Threads that are alike and have no calls to show: workers that wait, in one line. */
export interface ThreadGroup {
  readonly threads: readonly BtThread[];
  /** Whether they are shown as one line. */
  readonly isFolded: boolean;
}

/** The threads, the main thread first; more than two idle workers are one group at the end. */
export function threadGroups(threads: readonly BtThread[]): readonly ThreadGroup[] {
  const idle = threads.filter(({ thread, state, doing }) => thread !== 0 && state === 'idle' && doing === undefined);
  if (idle.length < 3) return threads.map((one) => ({ threads: [one], isFolded: false }));
  const others = threads.filter((one) => !idle.includes(one)).map((one) => ({ threads: [one], isFolded: false }));
  return [...others, { threads: idle, isFolded: true }];
}
