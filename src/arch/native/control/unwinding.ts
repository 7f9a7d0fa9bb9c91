import { readFileSync } from 'node:fs';
import { attempt } from '../../../base/attempt.js';
import { unwindTable } from '../code/unwind-table.js';
import { ElfFile } from '../elf/elf-file.js';
import { functionSymbols } from '../elf/symbols.js';
import type { AddressRange } from '../process/near-room.js';
import { isExecutable, mappedObjects, processMaps } from '../process/process-maps.js';
import type { ProcessMemory } from '../process/process-memory.js';
import type { RemoteCaller } from '../process/remote-calls.js';
import type { CodeArea } from './code-area.js';

/** The library that unwinds stacks for exceptions, and what it calls to be told of code that is in no object. */
const UNWINDER = /\/libgcc_s[.-][^/]*$/;
const REGISTER = '__register_frame_info';
/** Bytes that it keeps for each table. */
const OBJECT_BYTES = 64;

/** What the unwinder is told with. */
export interface UnwindingMemory {
  readonly memory: ProcessMemory;
  readonly caller: RemoteCaller;
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
    const register = registerFunction(memory.pid);
    if (register === undefined) return false;
    const { start, end } = area.range;
    const table = area.put((address) => ({
      bytes: unwindTable({ arena, start, bytes: end - start }),
      result: address,
    }));
    const object = this.#objects;
    if (object + OBJECT_BYTES > scratch.end) return false;
    this.#objects += OBJECT_BYTES;
    caller.call([{ address: register, args: [table, object], scratch: scratch.start }]);
    return true;
  }
}

/** The address of the unwinder's function in a process. */
function registerFunction(pid: number): number | undefined {
  for (const { path, ranges } of mappedObjects(processMaps(pid))) {
    if (!UNWINDER.test(path)) continue;
    const text = ranges.find(isExecutable)!;
    const base = ranges.findLast(({ offset, start }) => offset === 0 && start <= text.start)?.start;
    const elf = attempt(() => new ElfFile(readFileSync(`/proc/${pid}/root${path}`), path));
    if (elf === undefined || base === undefined) continue;
    for (const { name, address } of functionSymbols(elf)) {
      if (name.split('@')[0] === REGISTER) return address - elf.span[0] + base;
    }
  }
  return undefined;
}
