import type { BtAnswer, BtFrame, BtNativeThread, BtThread, NativeStacks } from './bt-answer.js';

/** What is said where the thread has gone on between the two looks at it. */
const MOVED = {
  script: 'It went on while it was looked at: not all of its machine code is known.',
  native: 'It went on while it was looked at: the values of its innermost calls are not known.',
} as const;

/**
 * Puts the machine code of stacks where it stands among the calls of JavaScript, and adds the threads that run none. Calls of
 * JavaScript that both looks have seen are those of the answer: they have the values, and with them stand the calls that V8 has
 * inlined. A thread answers only when it comes back to JavaScript, so what was called of C++ just then is seen by the other look
 * alone.
 */
export function joinNative(answer: BtAnswer, { threads }: NativeStacks): BtAnswer {
  const known = new Set(answer.threads.map(({ tid }) => tid));
  return {
    ...answer,
    threads: answer.threads.map((thread) => {
      const native = threads.find(({ tid }) => tid === thread.tid);
      return native === undefined ? thread : joinedThread(thread, native);
    }),
    others: threads.filter(({ tid }) => !known.has(tid)),
  };
}

function joinedThread(thread: BtThread, native: BtNativeThread): BtThread {
  const { frames, end, cut } = native;
  if (frames.length === 0) return end === undefined ? thread : { ...thread, nativeNote: notRead(end) };
  // A stack of which a part is missing cannot be put beside another one.
  if (cut !== undefined || thread.cut !== undefined)
    return thread.frames.length > 0
      ? { ...thread, nativeNote: 'Its machine code is not shown: the stack is deep.' }
      : { ...thread, frames, ...(cut && { cut }) };
  const running = thread.frames.filter(({ isAsync }) => !isAsync);
  const waiting = thread.frames.filter(({ isAsync }) => isAsync);
  // Its calls were read in the same way, but without knowing where they stand.
  if (thread.state === 'blocked' && (end === undefined || running.length === 0))
    return { ...thread, frames: [...frames, ...waiting], ...(end !== undefined && { nativeNote: unknownCaller(end) }) };
  const { joined, moved } = join(running, frames, end === undefined);
  const note = moved === undefined ? end && unknownCaller(end) : MOVED[moved];
  return { ...thread, frames: [...joined, ...waiting], ...(note !== undefined && { nativeNote: note }) };
}

const unknownCaller = (why: string): string => `Who has called the outermost one is not known: ${why}.`;
const notRead = (why: string): string => `Its machine code is not shown: ${why}.`;

interface Joined {
  readonly joined: readonly BtFrame[];
  /** Which look the innermost calls are of, where the two have seen different ones. */
  readonly moved?: keyof typeof MOVED;
}

/**
 * Joins from the outermost call inward, as far as both have the same calls of JavaScript.
 * @param isWhole whether the outermost call is in `mixed`
 */
function join(calls: readonly BtFrame[], mixed: readonly BtFrame[], isWhole: boolean): Joined {
  const found: BtFrame[] = [];
  let natives: BtFrame[] = [];
  let left = calls.length;
  let last: BtFrame | undefined;
  for (const [i, frame] of [...mixed.entries()].reverse()) {
    if (frame.isNative) {
      natives.push(frame);
      continue;
    }
    // Calls between them were inlined, or are of built-in functions.
    const same = calls.slice(0, left).findLastIndex((one) => isSame(one, frame));
    if (same < 0) return moved(calls.slice(0, left), mixed.slice(0, i + 1 + natives.length), found, last);
    const outer = calls.slice(same + 1, left).reverse();
    // Where the outer part is missing, calls of JavaScript stand there.
    found.push(...(last === undefined && !isWhole ? [...outer, ...natives] : [...natives, ...outer]), calls[same]!);
    natives = [];
    left = same;
    last = frame;
  }
  const rest = calls.slice(0, left);
  // Only built-in functions are on the stack without being seen there: what stands in the place of others is of another moment.
  if (natives.length > 0 && rest.some(({ place }) => place !== undefined)) return moved(rest, natives.reverse(), found, last);
  return { joined: [...natives.reverse(), ...rest, ...found.reverse()] };
}

/**
 * Takes of two looks, which have different innermost calls, the one that has seen C++ being called, or else that with the values.
 * @param found the other calls, the outermost one first
 * @param last the innermost of them as the second look has seen it
 */
function moved(
  script: readonly BtFrame[],
  mixed: readonly BtFrame[],
  found: readonly BtFrame[],
  last: BtFrame | undefined,
): Joined {
  const outer = found.toReversed();
  const isNative = mixed[0]?.isNative === true && !mixed[0].name.startsWith(V8S_OWN);
  if (!isNative || last === undefined) return { joined: [...script, ...outer], moved: 'script' };
  const [innermost, ...others] = outer;
  const { place, isBeginning } = last;
  // Where it was has changed as well.
  const caller = { ...innermost!, ...(place && { place }), ...(isBeginning && { isBeginning }) };
  return { joined: [...mixed, caller, ...others], moved: 'native' };
}

/** Whether two looks have seen the same call: one may know only where the function begins. */
const isSame = (one: BtFrame, other: BtFrame): boolean =>
  lastName(one) === lastName(other) && one.place?.file === other.place?.file && one.package === other.package;

/** What the names of V8's built-in functions begin with. */
const V8S_OWN = 'Builtins_';

/** `run` of `Job.run`, and of `new run`. */
const lastName = ({ name }: BtFrame): string => name.split(/[. ]/).at(-1)!;
