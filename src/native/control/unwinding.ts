import { readlinkSync } from 'node:fs';
import { attempt } from '../../base/attempt.js';
import { asTraceError } from '../../base/errno.js';
import { unwindTable } from '../code/unwind-table.js';
import { longBytes } from '../machine/long-bytes.js';
import { LOCAL_MACHINE } from '../machines/machines.js';
import { type AddressRange, isWithin } from '../process/address-range.js';
import type { Caller } from '../process/caller.js';
import { isExecutable, type MappedRange, processMaps } from '../process/process-maps.js';
import type { ProcessMemory } from '../process/process-memory.js';
import { hasWord } from '../process/resident-words.js';
import type { StoppedThread } from '../process/stop.js';
import type { CodeArea } from './code-area.js';
import { mappedFunction } from './mapped-function.js';

/** What the unwinder calls to be told of code that is in no object. */
const REGISTER = '__register_frame_info';
/**
 * What is kept of a range of code that the unwinder knows: where it begins, what was called, what the unwinder keeps itself, the
 * table.
 */
const ENTRY = { START: 0, REGISTER: 8, OBJECT: 64, TABLE: 128, BYTES: 512 } as const;
const nothing = (): void => {};

/** Bytes of a stack in which calls of the unwinder are looked for. */
const DEEPEST = 2 ** 20;
/** Bytes for the entries of a process. */
export const UNWINDING_BYTES = 32 * ENTRY.BYTES;

/** What tells the unwinder of a process: in its library, or in an executable that has it inside. */
function registerFunction(pid: number): number | undefined {
  const inLibrary = mappedFunction(pid, isLibgcc, REGISTER);
  const executable = attempt(() => readlinkSync(`/proc/${pid}/exe`));
  return inLibrary ?? mappedFunction(pid, (path) => path === executable, REGISTER);
}

/** What the unwinder is told with. */
export interface UnwindingNeeds {
  readonly memory: ProcessMemory;
  readonly caller: Caller;
  /** The address of the arena. */
  readonly arena: number;
  /** Zero memory of the process: for a function's stack, and behind that for what the unwinder keeps. */
  readonly scratch: AddressRange;
  /** Bytes of it that a function's stack takes. */
  readonly stackBytes: number;
}

/** Tells a process's unwinder about the thunks, so that exceptions pass through calls that function_graph follows. */
export class Unwinding {
  readonly #options: UnwindingNeeds;
  readonly #known = new Set<string>();
  #next: number;

  constructor(options: UnwindingNeeds) {
    this.#options = options;
    const { memory, scratch, stackBytes } = options;
    this.#next = scratch.start + stackBytes;
    // What a host before this one has told it stays true.
    for (; this.#next < scratch.end; this.#next += ENTRY.BYTES) {
      const [start, register] = new BigInt64Array(memory.read(this.#next, ENTRY.OBJECT).buffer);
      if (start === 0n) break;
      this.#known.add(`${start} ${register}`);
    }
  }

  /** Describes the thunks that an area has and will have. Returns false if the process has no unwinder yet. */
  describe(area: CodeArea): boolean {
    const { memory, caller, arena, scratch } = this.#options;
    const register = registerFunction(memory.pid);
    if (register === undefined) return false;
    const { start, end } = area.range;
    if (this.#known.has(`${start} ${register}`)) return true;
    const entry = this.#next;
    if (entry + ENTRY.BYTES > scratch.end) return false;
    this.#next += ENTRY.BYTES;
    memory.write(entry + ENTRY.TABLE, unwindTable({ machine: LOCAL_MACHINE, arena, start, bytes: end - start }));
    memory.write(entry, longBytes(start, register));
    const call = { address: register, args: [entry + ENTRY.TABLE, entry + ENTRY.OBJECT], scratch: scratch.start };
    try {
      caller.run([call], nothing, [], (thread) => !this.#mayHoldLock(thread));
    } catch (error) {
      // A thread that is late makes the call all the same.
      if (asTraceError(error).errno !== 'ETIMEDOUT') {
        memory.write(entry, new Uint8Array(ENTRY.OBJECT));
        this.#next = entry;
      }
      throw error;
    }
    return true;
  }

  /** The unwinder takes a lock that a thread may hold which a signal has interrupted there. */
  #mayHoldLock(thread: StoppedThread): boolean {
    const { memory } = this.#options;
    const maps = processMaps(memory.pid);
    const stack = maps.find((range) => isWithin(thread.sp, [range]));
    const used = stack === undefined ? [] : [{ start: thread.sp, end: Math.min(stack.end, thread.sp + DEEPEST) }];
    return isUnwinding(memory, maps, [thread], used);
  }
}

/** The library that unwinds stacks for exceptions, by the path of an object. */
const isLibgcc = (path: string): boolean => /\/libgcc_s[.-][^/]*$/.test(path);

/** Whether threads are in the unwinder's library, or something that it has called or that has interrupted it is. */
export function isUnwinding(
  memory: ProcessMemory,
  maps: readonly MappedRange[],
  threads: readonly StoppedThread[],
  stacks: readonly AddressRange[],
): boolean {
  const unwinder = maps.filter((range) => isExecutable(range) && isLibgcc(range.path));
  if (unwinder.length === 0) return false;
  return threads.some(({ pc }) => isWithin(pc, unwinder)) || hasWord(memory, stacks, unwinder);
}
