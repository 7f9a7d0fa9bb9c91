import { readFileSync } from 'node:fs';
import { attempt } from '../../base/attempt.js';
import { TraceError } from '../../base/errno.js';
import { ElfFile } from '../elf/elf-file.js';
import { definedFunctions } from '../elf/symbols.js';
import { processMachine } from '../machines/process-machine.js';
import type { AddressRange } from '../process/address-range.js';
import type { Caller } from '../process/caller.js';
import { baseOf, isExecutable, mappedObjects, processMaps } from '../process/process-maps.js';
import type { ProcessMemory } from '../process/process-memory.js';
import type { StoppedThread } from '../process/stop.js';
import { systemCallOf } from '../process/system-call-of.js';
import type { RegistersOf } from '../process/thread-registers.js';
import { mappedFunction } from './mapped-function.js';
import type { RingMemoryPages } from './shared-pages.js';

const RTLD_NOW = 2;
const MOST_PATH = 4096;
const MOST_MESSAGE = 512;

/** Whether a thread may be borrowed to load an object: it holds no lock of the C library that this takes. */
function mayLoad({ memory, registersOf }: LoadingNeeds, thread: StoppedThread): boolean {
  const registers = thread.call === undefined ? registersOf?.(thread.tid) : undefined;
  const call = systemCallOf(memory, thread, registers);
  return call !== undefined && processMachine.waits.has(call.nr);
}

/** A shared object that the process has loaded for fentry. */
export interface LoadedObject {
  /** The addresses of the functions that it defines and shows to others, by name. */
  readonly functions: ReadonlyMap<string, number>;
  /** Where its code is. */
  readonly code: readonly AddressRange[];
}

/** What an object is loaded with. */
export interface LoadingNeeds {
  readonly memory: ProcessMemory;
  readonly caller: Caller;
  readonly pages: RingMemoryPages;
  /** Zero memory of the process for a function's stack. */
  readonly scratch: AddressRange;
  /** Where /proc does not tell all that is needed of a stopped thread. */
  readonly registersOf: RegistersOf | undefined;
}

/**
 * Has a borrowed thread load a shared object (dlopen). Its constructors run. An object that is loaded already is the same one.
 * @throws TraceError EINVAL if it cannot be loaded: what the dynamic linker says; EOPNOTSUPP if the process has none; and as
 * RemoteCaller.run
 */
export function loadObject(loading: LoadingNeeds, path: string): LoadedObject {
  const { memory, caller, pages, scratch } = loading;
  const { pid } = memory;
  const bytes = attempt(() => readFileSync(`/proc/${pid}/root${path}`));
  if (bytes === undefined) throw new TraceError('ENOENT', `${path}: the process cannot see such a file`);
  const elf = new ElfFile(bytes, path);
  if (elf.type !== 'shared') throw new TraceError('EINVAL', `${path} is no shared object (gcc -shared -fPIC)`);
  const open = mappedFunction(pid, isLibrary, 'dlopen');
  const error = mappedFunction(pid, isLibrary, 'dlerror');
  if (open === undefined || error === undefined) throw new TraceError('EOPNOTSUPP', 'the process has no dynamic linker');
  const name = Buffer.from(`${path}\0`);
  if (name.length > MOST_PATH) throw new TraceError('ENAMETOOLONG', `${path}: the path is too long`);
  const held = pages.allocate(MOST_PATH);
  new Uint8Array(held).set(name);
  const calls = [
    { address: open, args: [pages.addressOf(held)!, RTLD_NOW], scratch: scratch.start },
    { address: error, args: [], scratch: scratch.start },
  ];
  const refusal = ([handle, message]: readonly number[]): string | undefined =>
    handle === 0 ? textAt(memory, message!) : undefined;
  const refused = caller.run(calls, refusal, [], (thread) => mayLoad(loading, thread));
  if (refused !== undefined) throw new TraceError('EINVAL', refused);
  return found(pid, path, elf);
}

const isLibrary = (path: string): boolean => /\/lib(c|dl)[.-][^/]*$/.test(path);

function textAt(memory: ProcessMemory, address: number): string {
  const bytes = Buffer.from(attempt(() => memory.read(address, MOST_MESSAGE)) ?? []);
  return bytes.toString('utf8', 0, Math.max(0, bytes.indexOf(0))) || 'dlopen has failed';
}

function found(pid: number, path: string, elf: ElfFile): LoadedObject {
  const object = mappedObjects(processMaps(pid)).findLast((one) => one.path === path);
  const base = object && baseOf(object);
  if (object === undefined || base === undefined) throw new TraceError('EIO', `${path} is not mapped after it was loaded`);
  const bias = base - elf.span[0];
  return {
    functions: new Map(Array.from(definedFunctions(elf), ({ name, address }) => [name.split('@')[0]!, address + bias])),
    code: object.ranges.filter(isExecutable),
  };
}
