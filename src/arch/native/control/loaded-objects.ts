import { readFileSync } from 'node:fs';
import { attempt } from '../../../base/attempt.js';
import { TraceError } from '../../../base/errno.js';
import { ElfFile } from '../elf/elf-file.js';
import { definedFunctions } from '../elf/symbols.js';
import type { AddressRange } from '../process/address-range.js';
import type { Caller } from '../process/caller.js';
import { baseOf, isExecutable, mappedObjects, processMaps } from '../process/process-maps.js';
import type { ProcessMemory } from '../process/process-memory.js';
import type { StoppedThread } from '../process/stop.js';
import { mappedFunction } from './mapped-function.js';
import type { RingMemoryPages } from './shared-pages.js';

const RTLD_NOW = 2;
const MOST_PATH = 4096;
const MOST_MESSAGE = 512;

/**
 * System calls in which a thread holds no lock of the C library that loading an object takes: it waits there for something from outside. read,
 * poll, select, pause, nanosleep, accept, recvfrom, recvmsg, wait4, sigsuspend, sigtimedwait, futex, clock_nanosleep, epoll_wait, pselect6, ppoll,
 * epoll_pwait, accept4, epoll_pwait2.
 */
const WAITS: ReadonlySet<number> = new Set([0, 7, 23, 34, 35, 43, 45, 47, 61, 128, 130, 202, 230, 232, 270, 271, 281, 288, 441]);

/** Whether a thread may be borrowed to load an object. */
export const mayLoad = ({ call }: StoppedThread): boolean => call !== undefined && WAITS.has(call.nr);

/** A shared object that the process has loaded for fentry. */
export interface LoadedObject {
  /** The addresses of the functions that it defines and shows to others, by name. */
  readonly functions: ReadonlyMap<string, number>;
  /** Where its code is. */
  readonly code: readonly AddressRange[];
}

/** What an object is loaded with. */
export interface LoadingMemory {
  readonly memory: ProcessMemory;
  readonly caller: Caller;
  readonly pages: RingMemoryPages;
  /** Zero memory of the process for a function's stack. */
  readonly scratch: AddressRange;
}

/**
 * Has a borrowed thread load a shared object (dlopen). Its constructors run. An object that is loaded already is the same one.
 * @throws TraceError EINVAL if it cannot be loaded: what the dynamic linker says; EOPNOTSUPP if the process has none; and as RemoteCaller.run
 */
export function loadObject({ memory, caller, pages, scratch }: LoadingMemory, path: string): LoadedObject {
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
  const refused = caller.run(calls, ([handle, message]) => (handle === 0 ? textAt(memory, message!) : undefined), [], mayLoad);
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
