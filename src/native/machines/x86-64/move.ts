import { TraceError } from '../../../base/errno.js';
import { highWord, lowWord } from '../../../base/words.js';
import { Decoder, int32At } from './decode.js';
import { distance } from './site.js';

/**
 * Instructions that run at another address than that for which they were made. All that they refer to by distance stays the same,
 * also what is among themselves: an address that they make is that of the program's own text, and a branch to the first of them
 * goes through what has taken its place. Nothing branches to the midst of them.
 */

/** The distances of a condition: its opcode with 32 bits is after 0f, and as much more. */
const FAR_CONDITION = 0x0f;
const NEAR_TO_FAR = 0x10;
/** What follows a loop or jrcxz that went farther: it goes to the second of two jumps, and past it otherwise. */
const LOOP_OVER = [0x02, 0xeb, 0x05];
/** Calls and jumps through a register or memory: bits of ModRM. */
const EXTENSION = 7 << 3;
const INDIRECT_JUMP = 4 << 3;

/** jmp with a distance of 32 bits. */
const JUMP = 0xe9;
/** How many times as long an instruction may become (loop), and the bytes of a pushed address and a jump. */
const [MOST_GROWN, MOST_ADDED] = [5, 13 + 5];

/** Code, and where its first byte is. */
interface MovedFrom {
  readonly code: Uint8Array;
  readonly address: number;
}

/** Where instructions are written before it is known how long they become: that of many functions is made one after the other. */
let room = new Uint8Array(256);

/** Instructions that are written one after the other where they are going to be. One is finished before the next begins. */
class MovedBytes {
  readonly #address: number;
  readonly #bytes: Uint8Array;
  #length = 0;

  constructor(address: number, most: number) {
    this.#address = address;
    if (room.length < most) room = new Uint8Array(most);
    this.#bytes = room;
  }

  get length(): number {
    return this.#length;
  }

  byte(byte: number): void {
    this.#bytes[this.#length++] = byte;
  }

  /** So many bytes of the code from an offset on. */
  copy(code: Uint8Array, from: number, count: number): void {
    for (let i = 0; i < count; i++) this.#bytes[this.#length++] = code[from + i]!;
  }

  int32(value: number): void {
    for (let bits = 0; bits < 32; bits += 8) this.byte(value >> bits);
  }

  /** Changes the distance at an offset, from the end of what is written, so that it leads to an address. */
  leads(at: number, to: number): void {
    const far = distance(this.#address + this.#length, to);
    for (let i = 0; i < 4; i++) this.#bytes[at + i] = far >> (8 * i);
  }

  jump(to: number): void {
    this.byte(JUMP);
    this.int32(0);
    this.leads(this.#length - 4, to);
  }

  /** Puts an address of the text on the stack, and leaves the flags alone. */
  pushAddress(address: number): void {
    this.byte(0x68);
    this.int32(lowWord(address));
    for (const byte of [0xc7, 0x44, 0x24, 0x04]) this.byte(byte);
    this.int32(highWord(address));
  }

  set(at: number, byte: number): void {
    this.#bytes[at] = byte;
  }

  at(offset: number): number {
    return this.#bytes[offset]!;
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

/** Writes the instruction that was read at an offset, with distances that reach everywhere. */
function moveOne(moved: MovedBytes, decoder: Decoder, { code, address }: MovedFrom, at: number): void {
  const { length, flow, ripAt, branchAt, branchSize, opcodeAt } = decoder;
  const target = decoder.target(code, at);
  const isCall = flow === 'call';
  // It returns into the text: unwinders and backtraces look for the caller there.
  if (isCall) moved.pushAddress(address + at + length);
  if (target === undefined) {
    const start = moved.length;
    moved.copy(code, at, length);
    if (isCall) moved.set(start + opcodeAt + 1, (moved.at(start + opcodeAt + 1) & ~EXTENSION) | INDIRECT_JUMP);
    if (ripAt !== 0) moved.leads(start + ripAt, address + at + length + int32At(code, at + ripAt));
    return;
  }
  const to = address + target;
  if (isCall || (flow === 'jump' && branchSize !== 4)) {
    moved.jump(to);
    return;
  }
  if (branchSize === 4) {
    const start = moved.length;
    moved.copy(code, at, length);
    moved.leads(start + branchAt, to);
    return;
  }
  if (flow === 'loop') {
    moved.copy(code, at, branchAt);
    for (const byte of LOOP_OVER) moved.byte(byte);
    moved.byte(JUMP);
  } else {
    moved.byte(FAR_CONDITION);
    moved.byte(code[at + opcodeAt]! + NEAR_TO_FAR);
  }
  moved.int32(0);
  moved.leads(moved.length - 4, to);
}

/**
 * The instructions from offset `from` up to `end` as they must be at an address, and a jump to `end` if they go on there. A call
 * must be the last of them. Throws ERANGE if something that they refer to is out of reach.
 */
export function movedCode(placed: MovedFrom, from: number, end: number, address: number): Uint8Array {
  const decoder = new Decoder();
  // An instruction has at least one byte.
  const moved = new MovedBytes(address, (end - from) * MOST_GROWN + MOST_ADDED);
  let goesOn = true;
  for (let at = from; at < end; at += decoder.length) {
    if (!decoder.read(placed.code, at)) throw new TraceError('EINVAL', 'an instruction that fentry does not know');
    moveOne(moved, decoder, placed, at);
    goesOn = !['call', 'jump', 'return'].includes(decoder.flow);
  }
  if (goesOn) moved.jump(placed.address + end);
  return moved.finish();
}
