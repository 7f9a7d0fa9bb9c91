import { readlinkSync } from 'node:fs';
import { attempt } from '../../../base/attempt.js';
import { unwindTable } from '../code/unwind-table.js';
import { longBytes } from '../machine/long-bytes.js';
import { OWN_MACHINE } from '../machine/machines.js';
import type { AddressRange } from '../process/address-range.js';
import type { Caller } from '../process/caller.js';
import type { ProcessMemory } from '../process/process-memory.js';
import type { CodeArea } from './code-area.js';
import { mappedFunction } from './mapped-function.js';

/** The library that unwinds stacks for exceptions. */
export const isUnwinder = (path: string): boolean => /\/libgcc_s[.-][^/]*$/.test(path);
/** What it calls to be told of code that is in no object. */
const REGISTER = '__register_frame_info';
/** What is kept of a range of code that the unwinder knows: where it begins, what was called, what the unwinder keeps itself, the table. */
const ENTRY = { START: 0, REGISTER: 8, OBJECT: 64, TABLE: 128, BYTES: 512 } as const;
/** Bytes for the entries of a process. */
export const UNWINDING_BYTES = 32 * ENTRY.BYTES;

/** What tells the unwinder of a process: in its library, or in an executable that has it inside. */
function registerFunction(pid: number): number | undefined {
  const inLibrary = mappedFunction(pid, isUnwinder, REGISTER);
  const executable = attempt(() => readlinkSync(`/proc/${pid}/exe`));
  return inLibrary ?? mappedFunction(pid, (path) => path === executable, REGISTER);
}

/** What the unwinder is told with. */
export interface UnwindingMemory {
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
  readonly #options: UnwindingMemory;
  readonly #known = new Set<string>();
  #next: number;

  constructor(options: UnwindingMemory) {
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
    memory.write(entry + ENTRY.TABLE, unwindTable({ machine: OWN_MACHINE, arena, start, bytes: end - start }));
    memory.write(entry, longBytes(start, register));
    caller.call([{ address: register, args: [entry + ENTRY.TABLE, entry + ENTRY.OBJECT], scratch: scratch.start }]);
    return true;
  }
}
