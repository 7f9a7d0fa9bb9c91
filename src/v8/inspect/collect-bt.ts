import { setTimeout as sleep } from 'node:timers/promises';
import type { BtFrame, BtRequest, BtThread } from '../../answers/bt/bt-answer.js';
import { describeWait, threadState, waitOf } from '../../base/thread-state.js';
import { AuthorFrames } from './author-frames.js';
import { blockedThread } from './blocked-thread.js';
import { type AskedThread, findWorkers, type ThreadAsking } from './each-thread.js';
import type { InspectorThread } from './inspector-thread.js';
import { type CallVariables, type PausedStack, pausedStack } from './paused-calls.js';
import { readStack } from './read-stack.js';
import { CUT_AFTER, type RawFrame, type RawStack } from './stack-expression.js';
import { tidsOf, untilAsleep } from './unanswered.js';

/** A thread of the process as it is known without asking it. */
export interface KnownThread {
  /** Node's number of the thread; 0 is the main thread. */
  readonly thread: number;
  /** The thread's id at the operating system. */
  readonly tid: number;
}

/** Which threads may be asked, and for how long. */
export interface BtAsking extends ThreadAsking, BtRequest {
  /** The threads that are known; undefined: only the main thread is. */
  readonly known?: readonly KnownThread[];
  /** Whether a thread may be held for its variables. Absent: each may. */
  mayHold?(thread: number): boolean;
}

/** The deepest stack of which variables are read: V8 describes all calls of a stack before it shows one. */
const DEEPEST = 400;
/** The longest that a thread which has answered is waited for when it sleeps, in milliseconds. */
const HELD = 500;
/** How often variables are asked for: another one who asks at the same time may let the thread go on. */
const ATTEMPTS = 3;

/** What each thread does, as its inspector tells: the main thread, and the workers that it and its workers have started. */
export async function collectBt(main: InspectorThread, asking: BtAsking): Promise<readonly BtThread[]> {
  const { pid, known = [{ thread: 0, tid: pid }] } = asking;
  const places = new AuthorFrames();
  const threads = new Map<number, BtThread>();
  const answered = new Set<number>();
  const tidOf = (thread: number): number | undefined => known.find((one) => one.thread === thread)?.tid;
  const end = new AbortController();
  let strangers: Promise<void> | undefined;
  /** Resolves when a thread sleeps instead of answering. Of workers whose ids are not known, all must sleep. */
  const asleep = (thread: number, signal: AbortSignal): Promise<void> => {
    const tid = tidOf(thread);
    if (tid !== undefined) return untilAsleep(pid, () => [tid], signal);
    strangers ??= untilAsleep(pid, () => tidsOf(pid).filter((one) => !answered.has(one)), end.signal).then(() => {
      strangers = undefined;
    });
    return strangers;
  };

  const ask = async ({ thread, name, session }: AskedThread): Promise<void> => {
    let found: FoundStack | undefined;
    const workers: Promise<void>[] = [];
    const reading = readThread(session, { ...asking, mayHold: asking.mayHold?.(thread) !== false }, (more) => {
      found = more;
    });
    // Asked for at once: of a busy thread each answer takes as long as the thread waits for a processor.
    const isParent = asking.hasWorkers?.(thread) !== false;
    const finding = isParent ? findWorkers(session, asking, (worker) => workers.push(ask(worker))) : undefined;
    const read = new AbortController();
    await Promise.race([reading.catch(() => {}), asleep(thread, read.signal), asking.over]);
    read.abort();
    // One that has answered sleeps because it is held: it must not be ended meanwhile.
    if (found !== undefined) await Promise.race([reading.catch(() => {}), asking.over, sleep(HELD, undefined, { ref: false })]);
    const tid = tidOf(thread) ?? (found?.stack.tid || undefined);
    if (tid !== undefined) answered.add(tid);
    asking.done?.(thread);
    threads.set(thread, threadOf({ thread, name, pid, tid, found }, places));
    // A thread that has answered answers that, too; one that has not may do so yet, and its workers with it.
    if (found !== undefined) await finding;
    for (let i = 0; i < workers.length; i++) await workers[i];
  };

  await ask({ thread: 0, name: '', session: main });
  end.abort();
  for (const { thread, tid } of known) {
    if (!threads.has(thread)) threads.set(thread, unaskedThread(thread, pid, tid));
  }
  return [...threads.values()].sort((a, b) => a.thread - b.thread);
}

type FoundStack = Pick<PausedStack, 'stack'> & Partial<PausedStack>;

/** Reads the stack of a thread, and then with its variables, if it runs something. */
async function readThread(
  session: InspectorThread,
  { locals, known, over, mayHold }: Omit<BtAsking, 'mayHold'> & { readonly mayHold: boolean },
  found: (stack: FoundStack) => void,
): Promise<void> {
  const stack = await readStack(session);
  if (stack === undefined) return;
  found({ stack });
  const isDeep = stack.omitted === 'unknown' || stack.frames.length + stack.omitted > DEEPEST;
  if (stack.frames.every(({ isAsync }) => isAsync) || isDeep || !mayHold) return;
  const request = { withLocals: locals, areInstrumented: known !== undefined, over };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const more = await pausedStack(session, request).catch(() => undefined);
    if (more === undefined) continue;
    found(more);
    return;
  }
}

interface FoundThread {
  readonly thread: number;
  readonly name: string;
  readonly pid: number;
  readonly tid: number | undefined;
  readonly found: FoundStack | undefined;
}

/** What is said of a thread that could not be asked: the main thread does not answer, or it is starting or ending. */
function unaskedThread(thread: number, pid: number, tid: number): BtThread {
  const state = threadState(pid, tid);
  const seemsIdle = state !== undefined && waitOf(state) === 'epoll' && state.children.length === 0;
  const words = seemsIdle ? 'waits, as it seems in its event loop' : state?.state === 'R' ? 'runs' : undefined;
  const doing = words === undefined ? describeWait(state) : `${words}; it could not be asked`;
  return seemsIdle
    ? { thread, name: '', tid, state: 'blocked', doing, frames: [] }
    : blockedThread({ thread, name: '', pid, tid, doing });
}

/** What is said of a thread. Without a stack: what the system says of it. */
function threadOf({ thread, name, pid, tid, found }: FoundThread, places: AuthorFrames): BtThread {
  const known = { thread, name, ...(tid !== undefined && { tid }) };
  if (found === undefined) {
    return tid === undefined ? { ...known, state: 'blocked', frames: [] } : blockedThread({ thread, name, pid, tid });
  }
  const { stack, calls = [], sourceMaps = new Map(), isHeld = false } = found;
  places.know(sourceMaps);
  const frames = withVariables(stack.frames, calls, places);
  const isIdle = frames.every(({ isAsync }) => isAsync);
  return {
    ...known,
    state: isHeld ? 'held' : isIdle ? 'idle' : 'running',
    ...(!isHeld && isWaiting(stack.frames[0]) && { doing: 'waits in Atomics.wait' }),
    frames,
    ...(stack.omitted !== 0 && { cut: cutOf(stack) }),
  };
}

/** Atomics.wait lets itself be interrupted, as what runs JavaScript. */
const isWaiting = (innermost: RawFrame | undefined): boolean => innermost?.url === '' && innermost.name === 'Atomics.wait';

const cutOf = ({ frames, omitted }: RawStack): NonNullable<BtThread['cut']> =>
  omitted === 'unknown' ? { after: frames.length } : { count: omitted, after: CUT_AFTER };

/**
 * Gives each call its variables. The stack has also built-in functions, and calls that wait: the others are the same ones in the
 * same order, and have the same lines.
 */
function withVariables(frames: readonly RawFrame[], calls: readonly CallVariables[], places: AuthorFrames): readonly BtFrame[] {
  let next = 0;
  return frames.map((raw): BtFrame => {
    const frame: BtFrame = { ...places.frame(raw), ...(raw.isAsync && { isAsync: true }) };
    const call = calls[next];
    if (raw.isAsync || raw.url === '' || call?.line !== raw.line) return frame;
    next++;
    return {
      ...frame,
      arguments: call.parameters.map(variable),
      ...(call.locals.length > 0 && { locals: call.locals.map(variable) }),
    };
  });
}

const variable = ([name, value]: readonly [string, string]): { readonly name: string; readonly value: string } => ({
  name,
  value,
});
