import { unwindTable } from '../code/unwind-table.js';
import { OWN_MACHINE } from '../machine/machines.js';
import type { Caller } from '../process/caller.js';
import type { AddressRange } from '../process/near-room.js';
import type { ProcessMemory } from '../process/process-memory.js';
import type { CodeArea } from './code-area.js';
import { mappedFunction } from './mapped-function.js';

/** The library that unwinds stacks for exceptions, and what it calls to be told of code that is in no object. */
const isUnwinder = (path: string): boolean => /\/libgcc_s[.-][^/]*$/.test(path);
const REGISTER = '__register_frame_info';
/** Bytes that it keeps for each table. */
const OBJECT_BYTES = 64;

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
  #objects: number;

  constructor(options: UnwindingMemory) {
    this.#options = options;
    this.#objects = options.scratch.start + options.stackBytes;
  }

  /** Describes the thunks that an area has and will have. Returns false if the process has no unwinder yet. */
  describe(area: CodeArea): boolean {
    const { memory, caller, arena, scratch } = this.#options;
    const register = mappedFunction(memory.pid, isUnwinder, REGISTER);
    if (register === undefined) return false;
    const { start, end } = area.range;
    const table = area.put((address) => ({
      bytes: unwindTable({ machine: OWN_MACHINE, arena, start, bytes: end - start }),
      result: address,
    }));
    const object = this.#objects;
    if (object + OBJECT_BYTES > scratch.end) return false;
    this.#objects += OBJECT_BYTES;
    caller.call([{ address: register, args: [table, object], scratch: scratch.start }]);
    return true;
  }
}
