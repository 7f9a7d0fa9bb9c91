import type { BtFrame, BtNativeThread, NativeStacks } from '../../answers/bt/bt-answer.js';
import { isOwnCode } from '../../answers/own-code.js';
import { attempt } from '../../base/attempt.js';
import { describeNativeWait, threadState } from '../../base/thread-state.js';
import { workingFolder } from '../../base/working-folder.js';
import type { LocalProcess } from '../../native/addon/local-process.js';
import { threadIds, threadName } from '../../native/process/tasks.js';
import { demangled } from '../../native/text/demangle.js';
import { moduleName, symbolName } from '../../native/text/symbol-name.js';
import { ProcessStacks, type ThreadStack } from '../../native/unwind/process-stacks.js';
import type { UnwoundFrame } from '../../native/unwind/unwind-stack.js';
import { packageNameOf } from '../loader/package-name.js';
import { describedCalls } from '../memory/described-calls.js';
import { V8Heap } from '../memory/v8-heap.js';
import { type V8Layout, v8Layout } from '../memory/v8-layout.js';
import { Words } from '../memory/words.js';
import { AuthorFrames } from './author-frames.js';
import { frameOfCall } from './blocked-thread.js';

/** The most calls of a stack that are described: those at its inner end, and those at its outer end. */
const INNER = 100;
const OUTER = 50;
/** Numbers of V8's kinds of frames, doubled, are less: anything above is an object. */
const MOST_MARKER = 2 ** 16;
/** How often a stack is looked at whose functions have moved meanwhile. */
const ATTEMPTS = 3;

/** The name of what a signal handler returns to. */
const SIGNAL = '<signal>';

/** A call of JavaScript, or of machine code. */
interface Call {
  readonly frame: UnwoundFrame;
  /** The function of JavaScript, with V8's tag. */
  readonly function?: number;
  /** Whether it is no call: a signal has interrupted the one behind it. */
  readonly isSignal?: boolean;
}

/** The stacks of a process's threads, with the names of their functions, and where they are. */
export class NativeStackReader {
  readonly #pid: number;
  readonly #stacks: ProcessStacks;
  readonly #layout: V8Layout | undefined;
  readonly #application: string;
  readonly #executable: string;
  readonly #places = new AuthorFrames();

  /** @throws TraceError EACCES, EPERM or ESRCH when the system does not let this process in */
  constructor(pid: number, local: LocalProcess) {
    this.#pid = pid;
    this.#stacks = new ProcessStacks(pid, local);
    this.#layout = attempt(() => v8Layout(pid));
    this.#application = workingFolder(pid);
    this.#executable = this.#stacks.executable;
  }

  /** Looks at each thread, which stands still for that, one after the other. @param except is not looked at */
  read(except: readonly number[]): NativeStacks {
    const tids = threadIds(this.#pid).filter((tid) => !except.includes(tid));
    const states = tids.map((tid) => threadState(this.#pid, tid));
    const looked = tids.map((tid) => this.#look(tid));
    const threads = tids.map((tid, i): BtNativeThread => {
      const { frames = [], ...rest } = looked[i]!;
      return { tid, name: threadName(this.#pid, tid), doing: describeNativeWait(states[i]), frames, ...rest };
    });
    return { threads: renamed(threads) };
  }

  #look(tid: number): Pick<BtNativeThread, 'cut' | 'end'> & { readonly frames?: readonly BtFrame[] } {
    for (let tries = 1; ; tries++) {
      const stack = this.#stacks.of(tid);
      if (typeof stack === 'string') return { end: stack };
      const frames = attempt(() => this.#described(stack));
      if (frames !== undefined || tries === ATTEMPTS) {
        const { end } = stack;
        return { ...(frames ?? { frames: [] }), ...(end !== undefined && { end }) };
      }
    }
  }

  /** @throws Error where memory has changed meanwhile */
  #described(stack: ThreadStack): { readonly frames: readonly BtFrame[]; readonly cut?: BtNativeThread['cut'] } {
    const words = new Words(this.#pid, stack.copy);
    try {
      const heap = this.#layout && new V8Heap(words, this.#layout);
      const calls = stack.frames.flatMap((frame, i) => {
        const isSignal = stack.frames[i + 1]?.by === 'signal';
        return this.#callOf(frame, words, heap).map((call) => ({ ...call, isSignal }));
      });
      const omitted = Math.max(0, calls.length - INNER - OUTER);
      const shown = omitted === 0 ? calls : [...calls.slice(0, INNER), ...calls.slice(-OUTER)];
      const scripts = shown.flatMap(({ frame, function: one }) =>
        one === undefined ? [] : [{ frame: frame.framePointer!, function: one }],
      );
      const described = heap === undefined ? [] : describedCalls(scripts, { words, layout: this.#layout!, heap });
      let next = 0;
      const groups = shown.map((call, i) => {
        if (call.function !== undefined) return [frameOfCall(described[next++]!, this.#places)];
        return this.#native(call, shown[i - 1]);
      });
      const after = groups.slice(0, INNER).flat().length;
      return { frames: groups.flat(), ...(omitted > 0 && { cut: { count: omitted, after } }) };
    } finally {
      words.close();
    }
  }

  /** None: it is fentry's own, or only connects V8's code with that of C++. */
  #callOf(frame: UnwoundFrame, words: Words, heap: V8Heap | undefined): readonly Call[] {
    const { framePointer: pointer, isDescribed, at } = frame;
    if (this.#stacks.isOwn(at)) return [];
    if (isDescribed || pointer === undefined || heap === undefined || this.#layout === undefined) return [{ frame }];
    const marker = attempt(() => words.word(pointer + this.#layout!.value('off_fp_context_or_frame_type')));
    if (marker === undefined) return [{ frame }];
    // What compilers of V8 have made has no file.
    if (marker >= 0 && marker % 2 === 0 && marker < MOST_MARKER) return this.#stacks.at(at) === undefined ? [] : [{ frame }];
    const found = attempt(() => words.word(pointer + this.#layout!.value('off_fp_function')));
    return found !== undefined && heap.isFunction(found) ? [{ frame, function: found }] : [{ frame }];
  }

  /** The calls of machine code at a frame: inlined ones have none of their own. */
  #native({ frame: { at, by }, isSignal }: Call, inner: Call | undefined): readonly BtFrame[] {
    const place = this.#stacks.at(at);
    const isGuess = by === 'frame pointer' && inner !== undefined && inner.function === undefined && !this.#isV8(inner.frame);
    const guess = isGuess && { byFramePointer: true as const };
    if (place === undefined) return [{ name: `0x${at.toString(16)}`, isOwn: false, isNative: true, ...guess }];
    const { object, address } = place;
    const calls = object.callsAt(address);
    const outer = { name: object.nameAt(address) ?? calls.at(-1)?.name, place: calls.at(-1)?.place };
    const own = this.#originOf(object.path);
    if (isSignal) return [{ name: SIGNAL, ...own, isNative: true }];
    return [...calls.slice(0, -1), outer].map(({ name = '<anonymous>', place: line }) => ({
      name,
      ...(line && { place: { ...line, column: 0 } }),
      ...own,
      isNative: true,
      ...guess,
    }));
  }

  /** Whether a frame is one of V8's code, which always has frame pointers. */
  #isV8({ at }: UnwoundFrame): boolean {
    const place = this.#stacks.at(at);
    return (
      this.#layout !== undefined && (place === undefined || place.object.nameAt(place.address)?.startsWith('Builtins_') === true)
    );
  }

  #originOf(path: string): Pick<BtFrame, 'package' | 'isOwn'> {
    const isExecutable = path === this.#executable;
    const isNode = this.#layout !== undefined && (isExecutable || /\/libnode\.so[\d.]*$/.test(path));
    const isInside = this.#application.length > 1 && path.startsWith(`${this.#application}/`);
    const name = isNode ? 'node' : packageNameOf(path) || (isExecutable || isInside ? '' : moduleName(path));
    return { ...(name !== '' && { package: name }), isOwn: isOwnCode({ package: name, file: path }) };
  }
}

/** Gives machine code the names that it has as symbols. */
function renamed(threads: readonly BtNativeThread[]): readonly BtNativeThread[] {
  const linked = [...new Set(threads.flatMap(({ frames }) => frames.flatMap(({ name, isNative }) => (isNative ? [name] : []))))];
  const names = new Map(demangled(linked).map((name, i) => [linked[i]!, symbolName(name)]));
  return threads.map((thread) => ({
    ...thread,
    frames: thread.frames.map((frame) => (frame.isNative ? { ...frame, name: names.get(frame.name)! } : frame)),
  }));
}
