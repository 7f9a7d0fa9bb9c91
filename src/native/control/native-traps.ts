import { readFileSync } from 'node:fs';
import { attempt } from '../../base/attempt.js';
import { asTraceError } from '../../base/errno.js';
import { pause } from '../../base/pause.js';
import { isRefused } from '../../base/refused.js';
import { SHARED, SIGNAL_ACTION, TRAP_ENTRIES, TRAP_ENTRY, TRAPS, trapIndex } from '../code/arena.js';
import { type MachineTraps, SIGTRAP_BIT } from '../machine/traps.js';
import { LOCAL_MACHINE } from '../machines/machines.js';
import { type AddressRange, isWithin } from '../process/address-range.js';
import type { Caller } from '../process/caller.js';
import type { ProcessMemory } from '../process/process-memory.js';
import { threadIds, threadName } from '../process/tasks.js';
import type { ChangeQueue } from './change-queue.js';
import type { Leftover } from './leftovers.js';
import type { NativeArena } from './native-arena.js';
import type { ProbedTexts } from './probed-texts.js';
import type { SiteTargets } from './site-targets.js';

/** What breakpoints are put into a process with. */
export interface TrapsNeeds {
  readonly memory: ProcessMemory;
  readonly caller: Caller;
  readonly arena: NativeArena;
  readonly queue: ChangeQueue;
  readonly targets: SiteTargets;
  readonly texts: ProbedTexts;
  /** Zero memory of the process for a function's stack. */
  readonly scratch: AddressRange;
  /** What earlier hosts have left. */
  readonly leftovers: readonly Leftover[];
}

const MOST_TRAPS = TRAP_ENTRIES / 2;
/** How often it is looked whether a thread still has a SIGTRAP to take. */
const LOOKS = 200;

/** Most looks for threads that block the signal, and the milliseconds between two of these looks. */
const LOOKS_FOR_BLOCKING = 20;
const BETWEEN = 2;

const { traps: MACHINE_TRAPS } = LOCAL_MACHINE;
const NO_TRAPS = 'needs a breakpoint, which leads to no probe on this machine';
const NO_CALLS = 'needs a breakpoint, and no call of rt_sigaction was found that could tell who uses SIGTRAP';

/**
 * The breakpoints of probes where no jump fits: an INT3 leads to a probe's code by a handler of SIGTRAP in the process
 * (`MachineTraps`).
 */
export class NativeTraps {
  readonly #needs: TrapsNeeds;
  /** The entries of the table, by address. */
  readonly #entries = new Map<number, number>();
  readonly #used = new Set<number>();
  /** What the calls that concern signals were before they were changed. */
  readonly #hooked: { readonly address: number; readonly bytes: Uint8Array; readonly compiled: Uint8Array }[] = [];
  #isInstalled = false;
  #isEnding = false;

  constructor(needs: TrapsNeeds) {
    this.#needs = needs;
  }

  /**
   * Makes an INT3 at an address lead to code, which the text may have from now on.
   * @returns why there can be none, as a sentence about the place
   */
  lead(address: number, thunk: number): string | undefined {
    try {
      return this.#blocking() ?? this.#install() ?? this.#enter(address, thunk);
    } catch (error) {
      return `needs a breakpoint: ${asTraceError(error).message}`;
    }
  }

  /** There are no breakpoints any more: the calls that were changed become what they were. */
  restore(): void {
    this.#needs.queue.addText(
      this.#hooked.splice(0).map(({ address, bytes, compiled }) => ({ address, bytes: compiled, from: [bytes] })),
    );
    this.#isEnding = this.#isInstalled;
  }

  /** Gives SIGTRAP back, once the text is what it was. The process must not be stopped. */
  settle(): void {
    const { memory, queue, targets, caller, arena, scratch } = this.#needs;
    if (!this.#isEnding || queue.hasText) return;
    this.#isEnding = false;
    this.#isInstalled = false;
    // A thread that has run into a breakpoint takes its signal when it goes on.
    for (let looks = 0; looks < LOOKS && signalBits(memory.pid, ['SigPnd', 'ShdPnd']).length > 0; looks++);
    const remove = targets.handler((_common, address) => MACHINE_TRAPS!.buildRemover(address, arena.start));
    attempt(() => {
      caller.call([{ address: remove, args: [], scratch: scratch.start }]);
      arena.setWord(arena.start + SHARED.HANDLES_TRAPS, 0);
    });
  }

  #enter(address: number, thunk: number): string | undefined {
    const { arena } = this.#needs;
    let index = this.#entries.get(address);
    if (index === undefined) {
      if (this.#used.size >= MOST_TRAPS) return 'is one more than there can be breakpoints';
      index = trapIndex(address);
      while (this.#used.has(index)) index = (index + 1) % TRAP_ENTRIES;
      this.#used.add(index);
      this.#entries.set(address, index);
    }
    const entry = arena.start + TRAPS + index * TRAP_ENTRY.BYTES;
    arena.setLong(entry + TRAP_ENTRY.THUNK, thunk);
    arena.setLong(entry + TRAP_ENTRY.ADDRESS, address);
    return undefined;
  }

  /** The system ends a process of which a thread runs into a breakpoint while it blocks SIGTRAP. */
  #blocking(): string | undefined {
    const { pid } = this.#needs.memory;
    let tids = signalBits(pid, ['SigBlk']);
    // The C library does so for a moment when a thread starts another one.
    for (let looks = 0; looks < LOOKS_FOR_BLOCKING && tids.length > 0; looks++) {
      pause(BETWEEN);
      const now = signalBits(pid, ['SigBlk']);
      tids = tids.filter((one) => now.includes(one));
    }
    const [tid] = tids;
    return tid === undefined
      ? undefined
      : `needs a breakpoint, and thread ${tid} (${threadName(pid, tid)}) blocks SIGTRAP: there it would end the program`;
  }

  #install(): string | undefined {
    if (this.#isInstalled) return undefined;
    if (MACHINE_TRAPS === undefined) return NO_TRAPS;
    const refused = this.#hook(MACHINE_TRAPS);
    if (refused !== undefined) return refused;
    const { caller, arena, targets, scratch } = this.#needs;
    const install = targets.handler((_common, address) => MACHINE_TRAPS.buildInstaller(address, arena.start));
    arena.setWord(arena.start + SHARED.HANDLES_TRAPS, 1);
    caller.call([{ address: install, args: [], scratch: scratch.start }]);
    this.#isInstalled = true;
    this.#takeOver();
    return undefined;
  }

  /** The handler of an earlier host is none of the program's. */
  #takeOver(): void {
    const { arena, leftovers, memory } = this.#needs;
    const own = arena.start + SHARED.TRAP_ACTION;
    const handler = arena.long(own + SIGNAL_ACTION.HANDLER);
    const before = leftovers.find(({ code }) => isWithin(handler, code));
    if (before === undefined) return;
    arena.setBytes(own, memory.read(before.data.start + SHARED.TRAP_ACTION, SIGNAL_ACTION.BYTES));
    arena.setWord(before.data.start + SHARED.HANDLES_TRAPS, 0);
  }

  /** Changes the calls by which the program could block SIGTRAP, or take it away. */
  #hook({ loadBytes, buildSignalHook }: MachineTraps): string | undefined {
    const { texts, targets, arena, queue } = this.#needs;
    let refused: string | undefined;
    const calls = texts.signalCalls().filter(({ name, address }) => {
      const code = texts.codeAt(address);
      const fits = !isRefused(code) && !code.isTrap && code.instructions === 1;
      if (!fits && name === 'rt_sigaction') refused = NO_CALLS;
      return fits;
    });
    if (refused !== undefined || !calls.some(({ name }) => name === 'rt_sigaction')) return NO_CALLS;
    for (const { name, address, compiled } of calls) {
      const hook = targets.near(address, (_common, place) => buildSignalHook(place, arena.start, name, address));
      const bytes = LOCAL_MACHINE.places.placeJump(address, loadBytes, hook);
      const failed = (why: string): void => {
        if (name === 'rt_sigaction') refused = `needs a breakpoint, and a call of rt_sigaction cannot be changed: ${why}`;
      };
      queue.addText([{ address, bytes, from: [compiled], refused: failed }]);
      this.#hooked.push({ address, bytes, compiled });
    }
    queue.flush();
    return refused;
  }
}

/** The threads of a process that have SIGTRAP in one of these sets of /proc/PID/task/TID/status. */
function signalBits(pid: number, sets: readonly string[]): readonly number[] {
  const pattern = new RegExp(`^(?:${sets.join('|')}):\\s*[\\da-f]*([\\da-f]{2})$`, 'gm');
  return threadIds(pid).filter((tid) => {
    const status = attempt(() => readFileSync(`/proc/${pid}/task/${tid}/status`, 'latin1')) ?? '';
    return [...status.matchAll(pattern)].some(([, bits]) => (Number.parseInt(bits!, 16) & SIGTRAP_BIT) !== 0);
  });
}
