import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../../base/attempt.js';
import { TraceError } from '../../base/errno.js';
import { ELF_ABIS } from '../machines/elf-abis.js';
import { processMachine } from '../machines/process-machine.js';
import type { AddressRange } from './address-range.js';
import type { Patch } from './borrowed-stub.js';
import { owe } from './debts.js';
import { isExecutable, type MappedRange, processMaps } from './process-maps.js';
import type { ProcessMemory } from './process-memory.js';
import { whileStopped } from './stop.js';

const { name, loop, threadPointerSet } = processMachine;
const AT_ENTRY = 9;
const ENTRY_BYTES = 16;
/** Between two looks whether it has come there, in milliseconds: the first of these, later the second. */
const LOOKS = [1, 10] as const;
const QUICK_LOOKS = 100;

const ELF_MAGIC = 0x7f454c46;
const CLASS_64 = 2;

/** A process that waits at the entry point of its executable; a static one, where it has set its thread pointer. */
export interface HeldProcess {
  /**
   * Text that it may be made to run meanwhile: a static executable has little other room. Absent: it has libraries, or is small.
   */
  readonly room: AddressRange | undefined;
  /** Makes that what it was. */
  restore(): void;
  /** Lets the process go on; does nothing when it is called again, or when the process has ended. */
  release(): void;
}

/** Bytes of text that are lent. */
const ROOM = 4096;

/**
 * Lets a process that was stopped at its first instruction run up to the entry point of its executable: its dynamic linker has
 * loaded all libraries and run their initialization by then. A static executable does a part of that behind its entry point: it
 * goes on until it has set its thread pointer, without which no function of its C library can be called, nor fentry's code. There
 * it waits in an endless loop.
 * @throws TraceError ENOEXEC when it is no executable for this machine, ESRCH when it ends before it comes there
 */
export async function holdAtEntry(memory: ProcessMemory): Promise<HeldProcess> {
  const { pid } = memory;
  checkExecutable(pid);
  const entry = entryPoint(pid);
  let hold = await heldAt(memory, [entry], () => process.kill(pid, 'SIGCONT'));
  const text = onlyText(pid);
  const later = text === undefined ? [] : placesIn(memory, text);
  if (later.length > 0) hold = await heldAt(memory, later, hold.release);
  const room = text && roomIn(text, hold.address);
  const lent = room && memory.read(room.start, room.end - room.start);
  return { room, restore: () => void (room && attempt(() => memory.write(room.start, lent!))), release: hold.release };
}

interface Hold {
  /** Where the process waits. */
  readonly address: number;
  release(): void;
}

/** Lets a process go on until it comes to one of some addresses, and waits for that. */
async function heldAt(memory: ProcessMemory, addresses: readonly number[], goOn: () => void): Promise<Hold> {
  const { pid } = memory;
  const original = addresses.map((address): Patch => ({ address, bytes: memory.read(address, loop.length) }));
  const settled = owe(pid, original);
  for (const address of addresses) memory.write(address, loop);
  goOn();
  let address = placeOf(pid, addresses);
  for (let looks = 0; address === undefined; looks++) {
    await sleep(LOOKS[looks < QUICK_LOOKS ? 0 : 1]);
    address = placeOf(pid, addresses);
  }
  let isHeld = true;
  return {
    address,
    release() {
      if (!isHeld) return;
      isHeld = false;
      attempt(() =>
        whileStopped(pid, () => {
          for (const { address, bytes } of original) memory.write(address, bytes);
        }),
      );
      settled();
    },
  };
}

/** The only text that a process has; undefined: it has libraries. */
function onlyText(pid: number): MappedRange | undefined {
  const [text, ...others] = processMaps(pid).filter((range) => isExecutable(range) && range.path.startsWith('/'));
  return others.length > 0 ? undefined : text;
}

/** Where a static executable has set its thread pointer. */
function placesIn(memory: ProcessMemory, { start, end }: AddressRange): readonly number[] {
  return threadPointerSet(Buffer.from(memory.read(start, end - start))).map((offset) => start + offset);
}

/** The end of a text, or its beginning, whichever is far from where the process waits; undefined: it is too small. */
function roomIn({ start, end }: AddressRange, address: number): AddressRange | undefined {
  if (address < end - 2 * ROOM) return { start: end - ROOM, end };
  return address > start + 2 * ROOM ? { start, end: start + ROOM } : undefined;
}

/** At which of some addresses the process is. */
const placeOf = (pid: number, addresses: readonly number[]): number | undefined =>
  whileStopped(pid, ({ threads }) => addresses.find((address) => threads.some(({ tid, pc }) => tid === pid && pc === address)));

/** @throws TraceError ENOEXEC */
function checkExecutable(pid: number): void {
  const header = attempt(() => headerOf(`/proc/${pid}/exe`));
  if (header === undefined) throw new TraceError('ESRCH', `process ${pid} has ended`);
  if (header.readUInt32BE(0) === ELF_MAGIC && header[4] === CLASS_64 && header.readUInt16LE(18) === ELF_ABIS[name].number) return;
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
