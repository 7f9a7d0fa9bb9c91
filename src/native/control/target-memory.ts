import { openSync, readFileSync } from 'node:fs';
import { attempt } from '../../base/attempt.js';
import { TraceError } from '../../base/errno.js';
import { PAGE } from '../../base/page.js';
import { processMachine } from '../machines/process-machine.js';
import type { AddressRange } from '../process/address-range.js';
import type { RemoteCall } from '../process/borrowed-stub.js';
import type { Caller } from '../process/caller.js';
import { regionNear, textGroups } from '../process/near-room.js';
import { isExecutable, type MappedRange, mappedObjects, processMaps } from '../process/process-maps.js';
import type { ProcessMemory } from '../process/process-memory.js';
import { checkResults } from '../process/remote-calls.js';
import { STUB_BYTES, type TracedMemory } from './code-header.js';

const CALL = processMachine.systemCalls;
export const PROTECTION = { read: 1, write: 2, execute: 4 } as const;
const READ_WRITE = PROTECTION.read | PROTECTION.write;
export const MAP = { shared: 1, private: 2, fixed: 0x10, anonymous: 0x20, noReserve: 0x4000, fixedNoReplace: 0x100000 } as const;
const CLOSE_ON_EXEC = 1;
const MADV = { wipeOnFork: 18, dontDump: 16 } as const;

/** How often room for code is looked for in this process, whose threads map memory meanwhile. */
const TRIES = 20;
/** What `cat /proc/PID/maps` shows of it. */
const NAME = Buffer.from('fentry\0');

/**
 * Rings. Address space, not memory: the system gives pages when they are used. Where address space or the size of files is
 * limited, it is the smaller one: a limit that is exceeded would end the process (SIGXFSZ), or leave it without room.
 */
const SHARED_BYTES = { MOST: 2 ** 36, LIMITED: 2 ** 30 } as const;

const isLimited = (pid: number): boolean => {
  const limits = attempt(() => readFileSync(`/proc/${pid}/limits`, 'latin1')) ?? '';
  return ['Max address space', 'Max file size'].some((name) => !new RegExp(`^${name} +unlimited`, 'm').test(limits));
};

/** Memory that a traced process has for fentry, until it ends. */
export interface TargetMemory extends PrivateMemory, TracedMemory {
  /** The file that both processes share, open here. */
  readonly fd: number;
}

/** Memory that an earlier host has left, to which nothing in the process leads any more. */
export interface ReusedMemory extends TracedMemory {
  readonly code: readonly AddressRange[];
}

/** How large the data is, and how much of it, from its start on, becomes zero when it is used again. */
export interface DataSize {
  readonly bytes: number;
  readonly zeroBytes: number;
}

/** The part of it that is the process's own. */
export interface PrivateMemory {
  /** What the process alone reads and writes; its first page is zero in a forked child. */
  readonly data: AddressRange;
  /** Executable memory: for each group of texts a range within reach of all of them. Behind each are STUB_BYTES more. */
  readonly code: readonly AddressRange[];
}

const rangeOf = (start: number, bytes: number): AddressRange => ({ start, end: start + bytes });

/** The texts of a process that lie in files. */
const fileTexts = (maps: readonly MappedRange[]): readonly MappedRange[] =>
  mappedObjects(maps).flatMap(({ ranges }) => ranges.filter(isExecutable));

/** Maps memory into this process itself, whose rings need none. @throws TraceError ENOMEM when there is no room */
export function mapLocalMemory(caller: Caller, dataBytes: number): PrivateMemory {
  const [data] = caller.call(mapData(dataBytes, 0));
  return { data: rangeOf(data!, dataBytes), code: mapOwnCode(caller).map(withoutStubs) };
}

/** Another thread may take a room between the look at it and the system call. */
function mapOwnCode(caller: Caller, tries = TRIES): readonly AddressRange[] {
  const code: AddressRange[] = [];
  try {
    for (const room of codeRooms(processMaps(process.pid))) {
      caller.call([mapCode(room)]);
      code.push(room);
    }
    return code;
  } catch (error) {
    for (const { start, end } of code) caller.call([{ nr: CALL.munmap, args: [start, end - start] }]);
    if (tries === 0) throw error;
    return mapOwnCode(caller, tries - 1);
  }
}

/**
 * @param index of the first call in its list
 * @param start where it is; 0: anywhere
 */
const mapData = (bytes: number, index: number, start = 0): readonly RemoteCall[] => [
  {
    nr: CALL.mmap,
    args: [start, bytes, READ_WRITE, MAP.private | MAP.anonymous | MAP.noReserve | fixedAt(start), -1, 0],
  },
  { nr: CALL.madvise, args: [{ result: index }, PAGE, MADV.wipeOnFork] },
];

const fixedAt = (start: number): number => (start === 0 ? 0 : MAP.fixed);

/**
 * Maps memory into a process.
 * @param reused is used again, instead of memory elsewhere
 * @throws TraceError as RemoteCaller does, ENOMEM when there is no room
 */
export function mapTargetMemory(
  memory: ProcessMemory,
  caller: Caller,
  { bytes, zeroBytes }: DataSize,
  reused?: ReusedMemory,
): TargetMemory {
  // The code first: the system gives other memory where it likes.
  const rooms = reused === undefined ? codeRooms(processMaps(memory.pid)) : [];
  const first = rooms.length;
  const { shared } = reused ?? {};
  const sharedStart = shared?.start ?? 0;
  const sharedBytes = shared !== undefined ? shared.end - shared.start : SHARED_BYTES[isLimited(memory.pid) ? 'LIMITED' : 'MOST'];
  const sharedFlags = MAP.shared | MAP.noReserve | fixedAt(sharedStart);
  const calls: readonly RemoteCall[] = [
    ...rooms.map(mapCode),
    { nr: CALL.memfd_create, args: [{ bytes: NAME }, CLOSE_ON_EXEC] },
    { nr: CALL.ftruncate, args: [{ result: first }, sharedBytes] },
    { nr: CALL.mmap, args: [sharedStart, sharedBytes, READ_WRITE, sharedFlags, { result: first }, 0] },
    // A core dump would read all of it, and the system would give memory for that.
    { nr: CALL.madvise, args: [{ result: first + 2 }, sharedBytes, MADV.dontDump] },
    ...mapData(reused === undefined ? bytes : zeroBytes, first + 4, reused?.data.start),
  ];
  const open = (results: readonly number[]) => {
    checkResults(calls, results);
    return { results, fd: openSync(`/proc/${memory.pid}/fd/${results[first]}`, 'r+') };
  };
  const { results, fd } = caller.run(calls, open, [{ nr: CALL.close, args: [{ result: first }] }]);
  return {
    shared: rangeOf(results[first + 2]!, sharedBytes),
    fd,
    data: rangeOf(results[first + 4]!, bytes),
    code: reused?.code ?? rooms.map(withoutStubs),
  };
}

const withoutStubs = ({ start, end }: AddressRange): AddressRange => ({ start, end: end - STUB_BYTES });

const mapCode = ({ start, end }: AddressRange): RemoteCall => ({
  nr: CALL.mmap,
  args: [
    start,
    end - start,
    PROTECTION.read | PROTECTION.execute,
    MAP.private | MAP.anonymous | MAP.noReserve | MAP.fixedNoReplace,
    -1,
    0,
  ],
});

/** Where the code for each group of texts goes. A text without room is refused when one of its functions needs it. */
function codeRooms(maps: readonly MappedRange[]): readonly AddressRange[] {
  const texts = fileTexts(maps);
  const rooms = textGroups(maps, texts).map(({ room }) => room);
  if (rooms.length === 0) throw new TraceError('ENOMEM', `there is no room for code near ${texts[0]?.path ?? 'a text'}`);
  return rooms;
}

/** Maps one more range of executable memory, within reach of texts that were loaded later. */
export function mapMoreCode(memory: ProcessMemory, caller: Caller, texts: readonly AddressRange[]): AddressRange {
  const room = regionNear(processMaps(memory.pid), texts);
  if (room === undefined) throw new TraceError('ENOMEM', 'there is no room for code near a text');
  caller.call([mapCode(room)]);
  return withoutStubs(room);
}
