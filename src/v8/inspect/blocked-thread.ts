import type { BtFrame, BtThread } from '../../answers/bt/bt-answer.js';
import { describeWait, threadState } from '../../base/thread-state.js';
import { BLOCKED_CUT, blockedStack } from '../memory/blocked-stack.js';
import type { BlockedCall } from '../memory/described-calls.js';
import { AuthorFrames } from './author-frames.js';

/** A thread that does not answer. */
interface SilentThread {
  readonly thread: number;
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** What it does, in words that follow "it"; absent: what the system says of it. */
  readonly doing?: string;
}

/**
 * What is said of a thread that does not answer: what the system says, and its calls as they stand in the memory of the process.
 */
export function blockedThread({ thread, name, pid, tid, doing }: SilentThread): BtThread {
  const stack = blockedStack(pid, tid);
  const places = new AuthorFrames();
  return {
    thread,
    name,
    tid,
    state: 'blocked',
    doing: doing ?? describeWait(threadState(pid, tid)),
    frames: stack?.calls.map((call) => frameOfCall(call, places)) ?? [],
    ...(stack && stack.omitted > 0 && { cut: { count: stack.omitted, after: BLOCKED_CUT } }),
  };
}

/** A call that was read in the memory of a process, as answers have it. */
export function frameOfCall({ parameters, isBeginning, ...call }: BlockedCall, places: AuthorFrames): BtFrame {
  return {
    ...places.frame({ ...call, isAsync: false }),
    ...(isBeginning && { isBeginning }),
    ...(parameters && { arguments: parameters }),
  };
}
