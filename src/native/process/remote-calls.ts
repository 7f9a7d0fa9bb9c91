import { attempt } from '../../base/attempt.js';
import { TraceError } from '../../base/errno.js';
import { pause } from '../../base/pause.js';
import { sameBytes } from '../../base/same-bytes.js';
import { processMachine } from '../machines/process-machine.js';
import { filteredRefusal, isFiltered } from './access.js';
import { type AddressRange, bytesIn } from './address-range.js';
import { DONE_WORD, type Patch, type RemoteCall } from './borrowed-stub.js';
import type { AnyCall, Caller } from './caller.js';
import { owe } from './debts.js';
import { textSlack } from './near-room.js';
import { mappedObjects, processMaps } from './process-maps.js';
import type { ProcessMemory } from './process-memory.js';
import { type StoppedProcess, type StoppedThread, whileStopped } from './stop.js';
import { threadIds, threadPosition } from './tasks.js';

/**
 * How long the thread has to make its calls, in milliseconds; a signal's handler may run first, and others may have the
 * processors.
 */
const PATIENCE = 15_000;
const LOOK = 0.1;
/**
 * How often the process is stopped to find a thread that can be used, and the milliseconds that it runs between two stops: longer
 * and longer, because a thread must get a processor to come back to where it waits.
 */
const TRIES = 50;
const BETWEEN = { LEAST: 2, MOST: 40 } as const;

const WORD = 8;
/** Numbers of errnos, as system calls return them. */
const LARGEST_ERRNO = 4095;

const { reach, stubs } = processMachine;
const { syscall, jumpBytes, stepBytes, isOneInstruction, doneArguments } = stubs;

/** Whether a jump from one address reaches the other. */
const isNear = (from: number, to: number): boolean => Math.abs(to - from) < reach;

/** Where a stub can stand, and the jump to it if it is not near the thread. */
interface StubPlace {
  readonly slack: AddressRange;
  readonly step?: AddressRange | undefined;
}

/** The places of a stub for a thread that stands at `pc`: those near it first. */
function stubPlaces(pc: number, slacks: readonly AddressRange[]): readonly StubPlace[] {
  const isBeside = ({ start, end }: AddressRange): boolean => isNear(pc, start) && isNear(pc, end);
  const step = slacks.find((slack) => isBeside(slack) && bytesIn(slack) >= stepBytes);
  const far = step === undefined ? [] : slacks.filter((slack) => !isBeside(slack));
  return [...slacks.filter(isBeside).map((slack) => ({ slack })), ...far.map((slack) => ({ slack, step }))];
}

/** A stub that a thread is on its way to. */
interface Borrowing {
  readonly tid: number;
  readonly release: readonly Patch[];
  /** Says that it is released. */
  readonly settled: () => void;
}

/**
 * Which threads of a process have seccomp filters. One may have been installed since the process was attached to, and by some
 * threads only. It is never taken away: a thread that has one is looked at once.
 */
class ThreadFilters {
  readonly #pid: number;
  readonly #found = new Set<number>();

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** While the process is stopped, this is so until it goes on. */
  has(tid: number): boolean {
    if (!this.#found.has(tid) && isFiltered(this.#pid, tid)) this.#found.add(tid);
    return this.#found.has(tid);
  }

  /** New threads have the filters of those that start them: if all have one now, all have one later. */
  haveAll(): boolean {
    const tids = threadIds(this.#pid);
    return tids.length > 0 && tids.every((tid) => this.has(tid));
  }
}

/**
 * Makes system calls in another process, by a thread of it that is borrowed for a moment. Nothing of it is seen by the program.
 */
export class RemoteCaller implements Caller {
  readonly #memory: ProcessMemory;
  /** What of a text's slack was used: a thread may have been interrupted there by a signal, so nothing is used twice. */
  readonly #used = new Map<number, number>();

  readonly #lent: AddressRange[] = [];

  constructor(memory: ProcessMemory) {
    this.#memory = memory;
  }

  /** Executable memory of the process that nobody else uses: what the texts have to spare is not enough for many calls. */
  lend(room: AddressRange): void {
    this.#lent.unshift(room);
  }

  /**
   * Makes the calls one after the other.
   * @param meanwhile gets their results before the thread goes on
   * @param last calls that are made after that, whatever it does; their results are not told
   * @param mayBorrow whether a thread may make them
   * @returns what `meanwhile` returns
   * @throws TraceError as whileStopped does; EPERM if all threads have seccomp filters; EAGAIN if no thread stands where it can
   * be used; ETIMEDOUT if it does not come by
   */
  run<T>(
    calls: readonly AnyCall[],
    meanwhile: (results: readonly number[]) => T,
    last: readonly RemoteCall[] = [],
    mayBorrow: (thread: StoppedThread) => boolean = () => true,
  ): T {
    const borrowing = this.#begin(calls, last, mayBorrow);
    try {
      return meanwhile(this.#results(borrowing, calls.length));
    } finally {
      whileStopped(this.#memory.pid, () => this.#write(borrowing.release));
      borrowing.settled();
    }
  }

  /** Makes the calls and returns their results. @throws TraceError ENOMEM if one of them fails: which, and its errno */
  call(calls: readonly AnyCall[]): readonly number[] {
    const results = this.run(calls, (all) => all);
    checkResults(calls, results);
    return results;
  }

  #begin(calls: readonly AnyCall[], last: readonly RemoteCall[], mayBorrow: (thread: StoppedThread) => boolean): Borrowing {
    const { pid } = this.#memory;
    const filters = new ThreadFilters(pid);
    for (let tries = 0; tries < TRIES; tries++) {
      const begun = whileStopped(pid, (stopped) => this.#borrow(stopped, calls, last, mayBorrow, filters));
      if (begun !== undefined) return begun;
      if (tries === 0 && filters.haveAll()) throw filteredRefusal(pid);
      pause(Math.min(BETWEEN.LEAST * 2 ** tries, BETWEEN.MOST));
    }
    if (filters.haveAll()) throw filteredRefusal(pid);
    throw new TraceError(
      'EAGAIN',
      `process ${pid}: none of its threads stands where it can make a system call for fentry, with room behind a text near it`,
    );
  }

  #borrow(
    { threads }: StoppedProcess,
    calls: readonly AnyCall[],
    last: readonly RemoteCall[],
    mayBorrow: (thread: StoppedThread) => boolean,
    filters: ThreadFilters,
  ): Borrowing | undefined {
    const usable = threads.filter((thread) => mayBorrow(thread) && this.#isUsable(thread, threads));
    const slacks = usable.length === 0 ? [] : this.#slacks();
    for (const thread of usable) {
      const { tid } = thread;
      if (filters.has(tid)) continue;
      const isAtCall = this.#isAtCall(thread);
      const isInCall = thread.call !== undefined || isAtCall;
      const pc = thread.pc + (isAtCall ? syscall.length : 0);
      for (const { slack, step } of stubPlaces(pc, slacks)) {
        const stub = stubs.borrowedStub({ address: slack.start, step: step?.start, tid, pc, isInCall, calls, last });
        const [code] = stub.code;
        if (code!.bytes.length > bytesIn(slack)) continue;
        this.#used.set(slack.end, slack.start + code!.bytes.length);
        if (step !== undefined) this.#used.set(step.end, step.start + stepBytes);
        const original = this.#memory.read(stub.entry.address, stub.entry.bytes.length);
        const release = [{ address: stub.entry.address, bytes: original }, ...stub.release];
        const settled = owe(this.#memory.pid, release);
        try {
          this.#write([...stub.code, stub.entry]);
        } catch (error) {
          attempt(() => this.#write(release));
          settled();
          throw error;
        }
        return { tid, release, settled };
      }
    }
    return undefined;
  }

  /** A jump can take the place of what the thread runs next: no other thread is in the midst of that. */
  #isUsable(thread: StoppedThread, threads: readonly StoppedThread[]): boolean {
    const { pc, call } = thread;
    // Behind a system call stands an instruction that nothing jumps into the middle of.
    if (call === undefined ? threads.length > 1 && !isOneInstruction : !this.#isBehindCall(thread)) return false;
    const isInMidst = (other: number): boolean => other > pc - syscall.length && other < pc + jumpBytes && other !== pc;
    return isOneInstruction || !threads.some((other) => isInMidst(other.pc));
  }

  /**
   * Where a jump is one instruction, that of a system call can be replaced together with what follows it: a thread that stands
   * there may have been set back to it, and goes on behind it if a signal's handler runs first (do_signal() of
   * arch/arm64/kernel/signal.c).
   */
  #isAtCall({ pc, call }: StoppedThread): boolean {
    return isOneInstruction && call === undefined && sameBytes(this.#memory.read(pc, syscall.length), syscall);
  }

  #isBehindCall({ pc }: StoppedThread): boolean {
    return sameBytes(this.#memory.read(pc - syscall.length, syscall.length), syscall);
  }

  /** What is unused of the texts' slack, the largest first. */
  #slacks(): readonly AddressRange[] {
    const maps = processMaps(this.#memory.pid);
    // The kernel's own object is there in static programs, too.
    const vdso = maps.filter(({ path }) => path === '[vdso]').map((range) => ({ path: range.path, ranges: [range] }));
    const texts = [...mappedObjects(maps), ...vdso].flatMap((object) => textSlack(this.#memory, object) ?? []);
    return [...this.#lent, ...texts]
      .map(({ start, end }) => ({ start: Math.ceil((this.#used.get(end) ?? start) / 16) * 16, end }))
      .sort((a, b) => bytesIn(b) - bytesIn(a));
  }

  #results({ tid }: Borrowing, count: number): readonly number[] {
    const { pid } = this.#memory;
    const end = performance.now() + PATIENCE;
    for (;;) {
      const { word, results, one } = doneArguments;
      const args = threadPosition(pid, tid)?.call?.args;
      if (args?.[word] === DONE_WORD && args[one] === 1) {
        const words = new DataView(this.#memory.read(args[results]! - count * WORD, count * WORD).buffer);
        return Array.from({ length: count }, (_, i) => Number(words.getBigInt64((count - 1 - i) * WORD, true)));
      }
      if (performance.now() > end)
        throw new TraceError('ETIMEDOUT', `process ${pid}: thread ${tid} has made no system call for fentry`);
      pause(LOOK);
    }
  }

  #write(patches: readonly Patch[]): void {
    for (const { address, bytes } of patches) this.#memory.write(address, bytes);
  }
}

/** @throws TraceError ENOMEM for the first call that has failed */
export function checkResults(calls: readonly AnyCall[], results: readonly number[]): void {
  const failed = results.findIndex((result, i) => 'nr' in calls[i]! && result < 0 && result >= -LARGEST_ERRNO);
  const call = calls[failed];
  if (call === undefined || !('nr' in call)) return;
  throw new TraceError('ENOMEM', `system call ${call.nr} in the process has failed with errno ${-results[failed]!}`);
}
