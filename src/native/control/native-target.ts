import { CacheFolder } from '../../base/cache/cache-folder.js';
import { TraceError } from '../../base/errno.js';
import type { ProgressFile } from '../../base/progress-file.js';
import { MAX_WRITERS } from '../../port/limits.js';
import { createInstanceSwitch } from '../../ring-buffer/index.js';
import { OwnCaller } from '../addon/own-caller.js';
import { OwnFilter } from '../addon/own-filter.js';
import { OwnProcess } from '../addon/own-process.js';
import { arenaLayout } from '../code/arena.js';
import { checkAccess } from '../process/access.js';
import type { AddressRange } from '../process/address-range.js';
import { SCRATCH_BYTES } from '../process/borrowed-stub.js';
import type { Caller } from '../process/caller.js';
import { isKnownMachine } from '../process/process-machine.js';
import { mappedObjects, processMaps } from '../process/process-maps.js';
import { ProcessMemory } from '../process/process-memory.js';
import { RemoteCaller } from '../process/remote-calls.js';
import { registersBy } from '../process/thread-registers.js';
import { FactsCache } from '../text/facts-cache.js';
import { changeStopped, type MakeChanges } from './change-queue.js';
import { checkRuntimes } from './check-runtimes.js';
import { STUB_BYTES, type TracedMemory } from './code-header.js';
import { endLeftovers } from './leave.js';
import { findLeftovers, type Leftover } from './leftovers.js';
import { NativeArena } from './native-arena.js';
import type { ClaimFunctions } from './native-texts.js';
import { changeOwn } from './own-changes.js';
import { ensureThreadPointer } from './own-thread-pointer.js';
import { ownPages, type RingMemoryPages, SharedPages } from './shared-pages.js';
import { mapOwnMemory, mapTargetMemory } from './target-memory.js';
import { UNWINDING_BYTES } from './unwinding.js';

/** How large the arena of a process is. Only what is used of it takes memory. */
const ARENA = arenaLayout({ threads: 256, frames: 4096, functions: 2 ** 20 });
/** Behind it the process has room for the functions that it is made to call. */
const PAGE = 4096;
const SCRATCH = Math.ceil(ARENA.bytes / PAGE) * PAGE;
/** What the process's unwinder has been told stays when the rest is used again. */
const ZERO = SCRATCH + SCRATCH_BYTES;
const DATA = ZERO + UNWINDING_BYTES;

/** A process whose text is going to be changed, with the memory that it has for that. */
export interface NativeTarget {
  readonly pid: number;
  /** The host's own process, which reads clocks and maps memory. */
  readonly own: OwnProcess;
  readonly memory: ProcessMemory;
  readonly caller: Caller;
  readonly arena: NativeArena;
  /** What was mapped for it. */
  readonly mapped: TracedMemory;
  /** Executable memory near its texts. */
  readonly code: readonly AddressRange[];
  /** Zero memory for functions that it is made to call. */
  readonly scratch: AddressRange;
  readonly pages: RingMemoryPages;
  readonly make: MakeChanges;
  readonly topSwitch: SharedArrayBuffer;
  /** What hosts before this one have left in it. */
  readonly leftovers: readonly Leftover[];
  /** Whether it is this process, in which fentry traces JavaScript too. */
  readonly hasJavaScript: boolean;
  /** What was found out about objects before; undefined: nothing is kept. */
  readonly cache: FactsCache | undefined;
  /** Tells those who wait what is being done; absent: nobody does. */
  readonly progress?: ProgressFile;
  /** Gives numbers to functions; absent: they are its own affair. */
  readonly claimFunctions?: ClaimFunctions;
  /** Gives a cpu that no other thread has; undefined: there is none any more. Absent: cpus are its own affair. */
  readonly claimCpu?: () => number | undefined;
}

/** What is behind the code: a signal may have interrupted a thread in the spare bytes of a text, which are few. */
function lendStubs(caller: RemoteCaller, code: readonly AddressRange[] = []): void {
  for (const { end } of code) caller.lend({ start: end, end: end + STUB_BYTES });
}

const scratchOf = (data: AddressRange): AddressRange => ({ start: data.start + SCRATCH, end: data.end });

const cacheIn = (folder: string | undefined): FactsCache | undefined =>
  folder === undefined ? undefined : new FactsCache(new CacheFolder(folder));

function checkMachine(): void {
  if (!isKnownMachine) throw new TraceError('EOPNOTSUPP', `machine code of ${process.arch} is not traced`);
}

/**
 * Another process. Maps memory into it.
 * @param cacheFolder keeps what is found out about objects; undefined: nothing is kept
 * @param spare text of the process that it does not run for now, and that is restored afterwards
 * @throws TraceError when it may not or cannot be changed: EPERM, EACCES, ESRCH, EBUSY, EAGAIN, ENOMEM, EOPNOTSUPP and the reason
 */
export function remoteTarget(pid: number, cacheFolder: string | undefined, spare?: AddressRange): NativeTarget {
  checkMachine();
  checkAccess(pid);
  checkRuntimes(pid);
  const own = new OwnProcess();
  const memory = new ProcessMemory(pid);
  const caller = new RemoteCaller(memory);
  if (spare !== undefined) caller.lend(spare);
  const maps = processMaps(pid);
  const make = changeStopped(memory, registersBy(own));
  const leftovers = findLeftovers(memory, maps);
  const reused = endLeftovers(memory, make, maps, leftovers);
  lendStubs(caller, reused?.code);
  const target = mapTargetMemory(memory, caller, { bytes: DATA, zeroBytes: ZERO }, reused);
  if (reused === undefined) lendStubs(caller, target.code);
  // Without libraries there may be no C library.
  if (mappedObjects(maps).length === 1) ensureThreadPointer(memory, caller);
  const pages = new SharedPages(own, target.fd, target.shared);
  return {
    ...{ pid, own, memory, caller, pages, leftovers, make, mapped: target },
    cache: cacheIn(cacheFolder),
    arena: new NativeArena(memory, target.data.start, ARENA),
    code: target.code,
    scratch: scratchOf(target.data),
    topSwitch: createInstanceSwitch(MAX_WRITERS, (bytes) => pages.allocate(bytes)),
    hasJavaScript: false,
  };
}

/** What this process gives to the tracing of its own text. */
export interface OwnTargetOptions extends Required<Pick<NativeTarget, 'topSwitch' | 'claimFunctions' | 'claimCpu'>> {
  /** The program that stops this process for changes: process/stopper-main.ts. */
  readonly stopper: string;
  /** Keeps what is found out about objects; undefined: nothing is kept. */
  readonly cacheFolder: string | undefined;
}

/** The process itself as a target. @throws TraceError as remoteTarget(); Error if no code can be loaded */
export function ownTarget({ stopper, topSwitch, cacheFolder, ...claims }: OwnTargetOptions): NativeTarget {
  const { pid } = process;
  checkMachine();
  checkAccess(pid);
  const own = new OwnProcess();
  const memory = new ProcessMemory(pid);
  const filter = new OwnFilter(own);
  const caller = new OwnCaller(own, filter);
  const { data, code } = mapOwnMemory(caller, DATA);
  // Where the system lets nobody write text (proc_mem.force_override), JavaScript is traced alone.
  for (const { start } of code) memory.write(start, Uint8Array.of(0));
  return {
    ...{ pid, own, memory, caller, code, topSwitch, ...claims },
    cache: cacheIn(cacheFolder),
    arena: new NativeArena(memory, data.start, ARENA),
    mapped: { data, shared: { start: 0, end: 0 } },
    scratch: scratchOf(data),
    pages: ownPages(own),
    make: changeOwn({ own, memory, filter, stopper, topSwitch }),
    leftovers: [],
    hasJavaScript: true,
  };
}
