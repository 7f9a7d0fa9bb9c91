import { CacheFolder } from '../../base/cache/cache-folder.js';
import { TraceError } from '../../base/errno.js';
import { PAGE, upToPage } from '../../base/page.js';
import type { ProgressFile } from '../../base/progress-file.js';
import type { StackLook } from '../../port/inspect.js';
import { MAX_WRITERS } from '../../port/limits.js';
import { createInstanceSwitch } from '../../ring-buffer/index.js';
import { LocalCaller } from '../addon/local-caller.js';
import { LocalProcess } from '../addon/local-process.js';
import { SeccompFilter } from '../addon/seccomp-filter.js';
import { arenaLayout } from '../code/arena.js';
import { longBytes } from '../machine/long-bytes.js';
import { isKnownMachine, processMachine } from '../machines/process-machine.js';
import { checkAccess } from '../process/access.js';
import type { AddressRange } from '../process/address-range.js';
import { SCRATCH_BYTES } from '../process/borrowed-stub.js';
import type { Caller } from '../process/caller.js';
import { mappedObjects, processMaps } from '../process/process-maps.js';
import { ProcessMemory } from '../process/process-memory.js';
import { RemoteCaller } from '../process/remote-calls.js';
import { registersBy } from '../process/thread-registers.js';
import { FactsCache } from '../text/facts-cache.js';
import { askStacks } from '../unwind/ask-stacks.js';
import { changeStopped, type MakeChanges } from './change-queue.js';
import { checkRuntimes } from './check-runtimes.js';
import { STUB_BYTES, type TracedMemory } from './code-header.js';
import { endLeftovers } from './leave.js';
import { findLeftovers, type Leftover } from './leftovers.js';
import { changeLocal } from './local-changes.js';
import { lookAtLocal } from './local-stacks.js';
import { NativeArena } from './native-arena.js';
import type { ClaimFunctions } from './native-texts.js';
import { localPages, type RingMemoryPages, SharedPages } from './shared-pages.js';
import { MAP, mapLocalMemory, mapTargetMemory, PROTECTION } from './target-memory.js';
import { UNWINDING_BYTES } from './unwinding.js';

/** How large the arena of a process is. Only what is used of it takes memory. */
const ARENA = arenaLayout({ threads: 256, frames: 4096, functions: 2 ** 20 });
/** Behind it the process has room for the functions that it is made to call. */
const SCRATCH = upToPage(ARENA.bytes);
/** What the process's unwinder has been told stays when the rest is used again. */
const ZERO = SCRATCH + SCRATCH_BYTES;
const DATA = ZERO + UNWINDING_BYTES;

/** A process whose text is going to be changed, with the memory that it has for that. */
export interface NativeTarget {
  readonly pid: number;
  /** The host's own process, which reads clocks and maps memory. */
  readonly local: LocalProcess;
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
  /** Begins a look at the stacks of all threads. @throws TraceError if it may not be looked at */
  beginStacks(): StackLook;
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
 * Gives the thread of a process that has no C library a thread pointer: what threads run for fentry tells them apart by it, and
 * reads memory at it. One that has a thread pointer keeps it.
 * @throws TraceError as RemoteCaller does
 */
function ensureThreadPointer(memory: ProcessMemory, caller: Caller): void {
  const { systemCalls, threadPointerCall } = processMachine;
  if (threadPointerCall === undefined) return;
  const { nr, get, set } = threadPointerCall;
  const flags = MAP.private | MAP.anonymous;
  const [address] = caller.call([
    { nr: systemCalls.mmap, args: [0, PAGE, PROTECTION.read | PROTECTION.write, flags, -1, 0] },
    { nr, args: [get, { result: 0 }] },
  ]);
  const hasPointer = memory.read(address!, longBytes(0).length).some((byte) => byte !== 0);
  // There may be words on both sides.
  const pointer = address! + PAGE / 2;
  if (!hasPointer) memory.write(pointer, longBytes(pointer));
  caller.call([hasPointer ? { nr: systemCalls.munmap, args: [address!, PAGE] } : { nr, args: [set, pointer] }]);
}

/**
 * Another process. Maps memory into it.
 * @param spare text of the process that it does not run for now, and that is restored afterwards
 * @throws TraceError when it may not or cannot be changed: EPERM, EACCES, ESRCH, EBUSY, EAGAIN, ENOMEM, EOPNOTSUPP and the reason
 */
export function remoteTarget(
  pid: number,
  { stacks, cacheFolder }: Pick<LocalTargetOptions, 'stacks' | 'cacheFolder'>,
  spare?: AddressRange,
): NativeTarget {
  checkMachine();
  checkAccess(pid);
  checkRuntimes(pid);
  const local = new LocalProcess();
  const memory = new ProcessMemory(pid);
  const caller = new RemoteCaller(memory);
  if (spare !== undefined) caller.lend(spare);
  const maps = processMaps(pid);
  const make = changeStopped(memory, registersBy(local));
  const leftovers = findLeftovers(memory, maps);
  const reused = endLeftovers(memory, make, maps, leftovers);
  lendStubs(caller, reused?.code);
  const target = mapTargetMemory(memory, caller, { bytes: DATA, zeroBytes: ZERO }, reused);
  if (reused === undefined) lendStubs(caller, target.code);
  // Without libraries there may be no C library.
  if (mappedObjects(maps).length === 1) ensureThreadPointer(memory, caller);
  const pages = new SharedPages(local, target.fd, target.shared);
  return {
    ...{ pid, local, memory, caller, pages, leftovers, make, mapped: target },
    cache: cacheIn(cacheFolder),
    arena: new NativeArena(memory, target.data.start, ARENA),
    code: target.code,
    scratch: scratchOf(target.data),
    topSwitch: createInstanceSwitch(MAX_WRITERS, (bytes) => pages.allocate(bytes)),
    hasJavaScript: false,
    beginStacks: () => askStacks(stacks, pid),
  };
}

/** What this process gives to the tracing of its own text. */
export interface LocalTargetOptions extends Required<Pick<NativeTarget, 'topSwitch' | 'claimFunctions' | 'claimCpu'>> {
  /** The program that stops this process for changes: process/stopper-main.ts. */
  readonly stopper: string;
  /** The program that reads its stacks: native-stacks.cjs. */
  readonly stacks: string;
  /** Keeps what is found out about objects; undefined: nothing is kept. */
  readonly cacheFolder: string | undefined;
}

/** The process itself as a target. @throws TraceError as remoteTarget(); Error if no code can be loaded */
export function localTarget({ stopper, stacks, topSwitch, cacheFolder, ...claims }: LocalTargetOptions): NativeTarget {
  const { pid } = process;
  checkMachine();
  checkAccess(pid);
  const local = new LocalProcess();
  const memory = new ProcessMemory(pid);
  const filter = new SeccompFilter(local);
  const caller = new LocalCaller(local, filter);
  const { data, code } = mapLocalMemory(caller, DATA);
  // Where the system lets nobody write text (proc_mem.force_override), JavaScript is traced alone.
  for (const { start } of code) memory.write(start, Uint8Array.of(0));
  return {
    ...{ pid, local, memory, caller, code, topSwitch, ...claims },
    cache: cacheIn(cacheFolder),
    arena: new NativeArena(memory, data.start, ARENA),
    mapped: { data, shared: { start: 0, end: 0 } },
    scratch: scratchOf(data),
    pages: localPages(local),
    make: changeLocal({ local, memory, filter, stopper, topSwitch }),
    beginStacks: () => lookAtLocal(local, filter, stacks),
    leftovers: [],
    hasJavaScript: true,
  };
}
