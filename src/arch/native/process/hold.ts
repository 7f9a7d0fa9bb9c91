import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../../../base/attempt.js';
import { TraceError } from '../../../base/errno.js';
import type { AddressRange } from './address-range.js';
import { owe } from './debts.js';
import { processMachine } from './process-machine.js';
import { isExecutable, processMaps } from './process-maps.js';
import type { ProcessMemory } from './process-memory.js';
import { whileStopped } from './stop.js';

const { name, elf, loop } = processMachine;
const AT_ENTRY = 9;
const ENTRY_BYTES = 16;
/** Between two looks whether it has come there, in milliseconds: the first of these, later the second. */
const LOOKS = [1, 10] as const;
const QUICK_LOOKS = 100;

const ELF_MAGIC = 0x7f454c46;
const CLASS_64 = 2;

/** A process that waits at the entry point of its executable. */
export interface HeldProcess {
  /** Text that it may be made to run meanwhile: a static executable has no other room. Absent: it has libraries. */
  readonly room: AddressRange | undefined;
  /** Makes that what it was. */
  restore(): void;
  /** Lets the process go on; does nothing when it is called again, or when the process has ended. */
  release(): void;
}

/** Bytes of text that are lent. */
const ROOM = 4096;

/**
 * Lets a process that was stopped at its first instruction run up to the entry point of its executable: its dynamic linker has loaded all
 * libraries and run their initialization by then. There it waits in an endless loop.
 * @throws TraceError ENOEXEC when it is no executable for this machine, ESRCH when it ends before it comes there
 */
export async function holdAtEntry(memory: ProcessMemory): Promise<HeldProcess> {
  const { pid } = memory;
  checkExecutable(pid);
  const entry = entryPoint(pid);
  const original = memory.read(entry, loop.length);
  const settled = owe(pid, [{ address: entry, bytes: original }]);
  memory.write(entry, loop);
  process.kill(pid, 'SIGCONT');
  for (let looks = 0; !isAt(pid, entry); looks++) await sleep(LOOKS[looks < QUICK_LOOKS ? 0 : 1]);
  const room = roomIn(pid, entry);
  const lent = room && memory.read(room.start, room.end - room.start);
  let isHeld = true;
  return {
    room,
    restore: () => void (room && attempt(() => memory.write(room.start, lent!))),
    release() {
      if (!isHeld) return;
      isHeld = false;
      attempt(() => whileStopped(pid, () => memory.write(entry, original)));
      settled();
    },
  };
}

/** The end of the only text that a process has, or its beginning, whichever the entry point is not in. */
function roomIn(pid: number, entry: number): AddressRange | undefined {
  const [text, ...others] = processMaps(pid).filter((range) => isExecutable(range) && range.path.startsWith('/'));
  if (text === undefined || others.length > 0) return undefined;
  const isFar = entry < text.end - 2 * ROOM;
  return isFar ? { start: text.end - ROOM, end: text.end } : { start: text.start, end: text.start + ROOM };
}

const isAt = (pid: number, address: number): boolean =>
  whileStopped(pid, ({ threads }) => threads.some(({ tid, pc }) => tid === pid && pc === address));

/** @throws TraceError ENOEXEC */
function checkExecutable(pid: number): void {
  const header = attempt(() => headerOf(`/proc/${pid}/exe`));
  if (header === undefined) throw new TraceError('ESRCH', `process ${pid} has ended`);
  if (header.readUInt32BE(0) === ELF_MAGIC && header[4] === CLASS_64 && header.readUInt16LE(18) === elf) return;
  throw new TraceError('ENOEXEC', `the program is no executable (ELF) for ${name}`);
}

function headerOf(path: string): Buffer {
  const fd = openSync(path, 'r');
  const header = Buffer.alloc(20);
  readSync(fd, header, 0, header.length, 0);
  closeSync(fd);
  return header;
}

/** Where the executable begins, as the system has told it (the auxiliary vector). */
function entryPoint(pid: number): number {
  const words = attempt(() => readFileSync(`/proc/${pid}/auxv`)) ?? Buffer.alloc(0);
  for (let at = 0; at + ENTRY_BYTES <= words.length; at += ENTRY_BYTES) {
    if (words.readBigUInt64LE(at) === BigInt(AT_ENTRY)) return Number(words.readBigUInt64LE(at + 8));
  }
  throw new TraceError('ESRCH', `process ${pid} has ended`);
}
