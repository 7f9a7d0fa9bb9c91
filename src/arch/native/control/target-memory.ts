import { openSync } from 'node:fs';
import { TraceError } from '../../../base/errno.js';
import type { RemoteCall } from '../process/borrowed-stub.js';
import type { Caller } from '../process/caller.js';
import { type AddressRange, nearRoom, textGroups } from '../process/near-room.js';
import { isExecutable, type MappedRange, processMaps } from '../process/process-maps.js';
import type { ProcessMemory } from '../process/process-memory.js';
import { checkResults } from '../process/remote-calls.js';

const CALL = { mmap: 9, close: 3, madvise: 28, ftruncate: 77, memfd_create: 319 } as const;
const PROTECTION = { read: 1, write: 2, execute: 4 } as const;
const MAP = { shared: 1, private: 2, anonymous: 0x20, noReserve: 0x4000, fixedNoReplace: 0x100000 } as const;
const CLOSE_ON_EXEC = 1;
const MADV_WIPEONFORK = 18;
const PAGE = 4096;

/** What the memory is for. Address space, not memory: the system gives pages when they are used. */
export const CODE_BYTES = 2 ** 26;
const BYTES = { shared: 2 ** 30, code: CODE_BYTES } as const;
/** What `cat /proc/PID/maps` shows of it. */
const NAME = Buffer.from('fentry\0');

/** Memory that a traced process has for fentry, until it ends. */
export interface TargetMemory extends PrivateMemory {
  /** What both processes share: rings. */
  readonly shared: AddressRange;
  /** Its file, open here. */
  readonly fd: number;
}

/** The part of it that is the process's own. */
export interface PrivateMemory {
  /** What the process alone reads and writes; its first page is zero in a forked child. */
  readonly data: AddressRange;
  /** Executable memory: for each group of texts a range within reach of all of them. */
  readonly code: readonly AddressRange[];
}

const rangeOf = (start: number, bytes: number): AddressRange => ({ start, end: start + bytes });

/** The texts of a process that lie in files. */
export const fileTexts = (maps: readonly MappedRange[]): readonly MappedRange[] =>
  maps.filter((range) => isExecutable(range) && range.path.startsWith('/'));

/** Maps memory into this process itself, whose rings need none. @throws TraceError ENOMEM when there is no room */
export function mapOwnMemory(caller: Caller, dataBytes: number): PrivateMemory {
  const code = codeRooms(processMaps(process.pid)).map((room) => rangeOf(room, BYTES.code));
  const results = caller.call([...code.map(({ start }) => mapCode(start)), ...mapData(dataBytes, code.length)]);
  return { data: rangeOf(results[code.length]!, dataBytes), code };
}

/** @param index of the first call in its list */
const mapData = (bytes: number, index: number): readonly RemoteCall[] => [
  {
    nr: CALL.mmap,
    args: [0, bytes, PROTECTION.read | PROTECTION.write, MAP.private | MAP.anonymous | MAP.noReserve, -1, 0],
  },
  { nr: CALL.madvise, args: [{ result: index }, PAGE, MADV_WIPEONFORK] },
];

/** Maps memory into a process. @throws TraceError as RemoteCaller does, ENOMEM when there is no room */
export function mapTargetMemory(memory: ProcessMemory, caller: Caller, dataBytes: number): TargetMemory {
  const maps = processMaps(memory.pid);
  const readWrite = PROTECTION.read | PROTECTION.write;
  // The code first: the system gives other memory where it likes.
  const code = codeRooms(maps).map((room) => rangeOf(room, BYTES.code));
  const first = code.length;
  const calls: readonly RemoteCall[] = [
    ...code.map(({ start }) => mapCode(start)),
    { nr: CALL.memfd_create, args: [{ bytes: NAME }, CLOSE_ON_EXEC] },
    { nr: CALL.ftruncate, args: [{ result: first }, BYTES.shared] },
    { nr: CALL.mmap, args: [0, BYTES.shared, readWrite, MAP.shared | MAP.noReserve, { result: first }, 0] },
    ...mapData(dataBytes, first + 3),
  ];
  const open = (results: readonly number[]) => {
    checkResults(calls, results);
    return { results, fd: openSync(`/proc/${memory.pid}/fd/${results[first]}`, 'r+') };
  };
  const { results, fd } = caller.run(calls, open, [{ nr: CALL.close, args: [{ result: first }] }]);
  return {
    shared: rangeOf(results[first + 2]!, BYTES.shared),
    fd,
    data: rangeOf(results[first + 3]!, dataBytes),
    code,
  };
}

const mapCode = (room: number): RemoteCall => ({
  nr: CALL.mmap,
  args: [
    room,
    BYTES.code,
    PROTECTION.read | PROTECTION.execute,
    MAP.private | MAP.anonymous | MAP.noReserve | MAP.fixedNoReplace,
    -1,
    0,
  ],
});

/** Where the code for each group of texts goes. */
function codeRooms(maps: readonly MappedRange[]): readonly number[] {
  return textGroups(fileTexts(maps), BYTES.code).map((texts) => {
    const room = nearRoom(maps, texts, BYTES.code);
    if (room === undefined) throw new TraceError('ENOMEM', `there is no room for code near ${texts[0]!.path}`);
    return room;
  });
}

/** Maps one more range of executable memory, within reach of texts that were loaded later. */
export function mapMoreCode(memory: ProcessMemory, caller: Caller, texts: readonly AddressRange[]): AddressRange {
  const room = nearRoom(processMaps(memory.pid), texts, BYTES.code);
  if (room === undefined) throw new TraceError('ENOMEM', 'there is no room for code near a text');
  caller.call([mapCode(room)]);
  return rangeOf(room, BYTES.code);
}
