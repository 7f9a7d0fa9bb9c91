import { createHash } from 'node:crypto';
import { hasEnded, ownIdentity, parseIdentity } from '../../recording/process-identity.js';
import * as arena from '../code/arena.js';
import { type AddressRange, bytesIn } from '../process/address-range.js';

/** What each range of code memory begins with, so that a later host knows it. Numbers are u64. */
const HEADER = {
  MAGIC: 0,
  CODE_BYTES: 16,
  DATA: 24,
  DATA_BYTES: 32,
  SHARED: 40,
  SHARED_BYTES: 48,
  /** The traced process: a forked child has the same memory. */
  PID: 56,
  /** CODE_STATE */
  STATE: 64,
  /** LAYOUT */
  LAYOUT: 72,
  /** The identity of the host, ended by a 0. */
  HOST: 80,
  BYTES: 128,
} as const;
export const HEADER_BYTES = HEADER.BYTES;

/** Bytes behind each range of code memory, for the stubs of borrowed threads. */
export const STUB_BYTES = 2 ** 20;

/** Changes with the meaning of the header, and of what hosts of other versions read: the arena's GATE and TRAPS. */
const MAGIC = Buffer.from('fentry native 3\0');
/** Changes with the arena. */
const LAYOUT = createHash('sha256').update(JSON.stringify(arena)).digest().subarray(0, 8);

/** Whether a process can come to code memory. */
export const CODE_STATE = {
  /** Text of the process may lead there. */
  USED: 0,
  /** The text does not lead there any more; a thread may still be there, or return to it. */
  ENDED: 1,
  /** Nothing leads there. */
  LEFT: 2,
} as const;
export type CodeState = (typeof CODE_STATE)[keyof typeof CODE_STATE];

/** The memory that tracing has taken in a process. */
export interface TracedMemory {
  /** The arena and what is behind it. */
  readonly data: AddressRange;
  /** What it shares with the host; empty: nothing. */
  readonly shared: AddressRange;
}

/** What a header says. */
export interface CodeHeader extends TracedMemory {
  readonly code: AddressRange;
  readonly pid: number;
  readonly state: CodeState;
  /** Whether its arena is laid out as this version's. */
  readonly isKnown: boolean;
  /** Whether the host that wrote it runs. */
  readonly isHeld: boolean;
  /** The process that is or was the host; 0: not known. */
  readonly host: number;
}

/** The header for this process as the host of a process. */
export function codeHeader(pid: number, code: AddressRange, { data, shared }: TracedMemory): Uint8Array {
  const header = Buffer.alloc(HEADER.BYTES);
  MAGIC.copy(header);
  const put = (at: number, value: number): void => void header.writeBigInt64LE(BigInt(value), at);
  put(HEADER.CODE_BYTES, bytesIn(code));
  put(HEADER.DATA, data.start);
  put(HEADER.DATA_BYTES, bytesIn(data));
  put(HEADER.SHARED, shared.start);
  put(HEADER.SHARED_BYTES, bytesIn(shared));
  put(HEADER.PID, pid);
  LAYOUT.copy(header, HEADER.LAYOUT);
  header.write(ownIdentity(), HEADER.HOST, HEADER.BYTES - HEADER.HOST - 1, 'latin1');
  return header;
}

/** What to write at the beginning of code memory to say how it is left. */
export const stateWord = (code: AddressRange, state: CodeState): { readonly address: number; readonly bytes: Uint8Array } => ({
  address: code.start + HEADER.STATE,
  bytes: Uint8Array.of(state),
});

/** The header that stands at an address; undefined: none does. */
export function parseHeader(bytes: Uint8Array, start: number): CodeHeader | undefined {
  const header = Buffer.from(bytes);
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const number = (at: number): number => Number(header.readBigInt64LE(at));
  const range = (from: number, length: number): AddressRange => ({ start: from, end: from + length });
  const host = parseIdentity(header.toString('latin1', HEADER.HOST, header.indexOf(0, HEADER.HOST)));
  return {
    code: range(start, number(HEADER.CODE_BYTES)),
    data: range(number(HEADER.DATA), number(HEADER.DATA_BYTES)),
    shared: range(number(HEADER.SHARED), number(HEADER.SHARED_BYTES)),
    pid: number(HEADER.PID),
    state: header[HEADER.STATE] as CodeState,
    isKnown: header.subarray(HEADER.LAYOUT, HEADER.HOST).equals(LAYOUT),
    isHeld: host !== undefined && !hasEnded(host),
    host: host?.pid ?? 0,
  };
}
