import { TraceError } from '../../../base/errno.js';
import { highWord, lowWord } from '../../../base/words.js';
import type { PlacedCode } from '../../text/code-place.js';
import { Decoder } from './decode.js';
import { distance } from './site.js';

/**
 * Instructions that run at another address than that for which they were made. All that they refer to by distance stays the same,
 * also what is among themselves: an address that they make is that of the program's own text, and a branch to the first of them
 * goes through what has taken its place. Nothing branches to the midst of them.
 */

/** Bytes of a moved instruction. */
interface Piece {
  readonly bytes: Buffer;
  /** Where in the bytes the distance from their end to an address is: 32 bits. */
  readonly distanceAt?: number;
  readonly to?: number;
}

/** The distances of a condition: its opcode with 32 bits is after 0f, and as much more. */
const FAR_CONDITION = 0x0f;
const NEAR_TO_FAR = 0x10;
/** What follows a loop or jrcxz that went farther: it goes to the second of two jumps, and past it otherwise. */
const LOOP_OVER = [0x02, 0xeb, 0x05];
/** Calls and jumps through a register or memory: bits of ModRM. */
const EXTENSION = 7 << 3;
const INDIRECT_JUMP = 4 << 3;

const jumpTo = (to: number): Piece => ({ bytes: Buffer.of(0xe9, 0, 0, 0, 0), distanceAt: 1, to });

/** Puts an address of the text on the stack, and leaves the flags alone. */
function pushAddress(address: number): Buffer {
  const bytes = Buffer.from([0x68, 0, 0, 0, 0, 0xc7, 0x44, 0x24, 0x04, 0, 0, 0, 0]);
  bytes.writeInt32LE(lowWord(address), 1);
  bytes.writeInt32LE(highWord(address), 9);
  return bytes;
}

/** The instruction that was read at an offset, in pieces whose distances reach everywhere. */
function pieces(decoder: Decoder, { code, address }: PlacedCode, at: number): Piece[] {
  const { length, flow, ripAt, branchAt, branchSize, opcodeAt } = decoder;
  const bytes = Buffer.from(code.subarray(at, at + length));
  const target = decoder.target(code, at);
  if (target === undefined) {
    const push: Piece = { bytes: pushAddress(address + at + length) };
    if (flow === 'call') bytes[opcodeAt + 1] = (bytes[opcodeAt + 1]! & ~EXTENSION) | INDIRECT_JUMP;
    const own: Piece =
      ripAt === 0 ? { bytes } : { bytes, distanceAt: ripAt, to: address + at + length + bytes.readInt32LE(ripAt) };
    return flow === 'call' ? [push, own] : [own];
  }
  const to = address + target;
  // It returns into the text: unwinders and backtraces look for the caller there.
  if (flow === 'call') return [{ bytes: pushAddress(address + at + length) }, jumpTo(to)];
  if (branchSize === 4) return [{ bytes, distanceAt: branchAt, to }];
  if (flow === 'jump') return [jumpTo(to)];
  const far =
    flow === 'loop'
      ? Buffer.of(...bytes.subarray(0, branchAt), ...LOOP_OVER, 0xe9, 0, 0, 0, 0)
      : Buffer.of(FAR_CONDITION, bytes[opcodeAt]! + NEAR_TO_FAR, 0, 0, 0, 0);
  return [{ bytes: far, distanceAt: far.length - 4, to }];
}

/**
 * The instructions from offset `from` up to `end` as they must be at an address, and a jump to `end` if they go on there. A call
 * must be the last of them. Throws ERANGE if something that they refer to is out of reach.
 */
export function movedCode(placed: PlacedCode, from: number, end: number, address: number): Uint8Array {
  const decoder = new Decoder();
  const moved: Piece[] = [];
  let goesOn = true;
  for (let at = from; at < end; at += decoder.length) {
    if (!decoder.read(placed.code, at)) throw new TraceError('EINVAL', 'an instruction that fentry does not know');
    moved.push(...pieces(decoder, placed, at));
    goesOn = !['call', 'jump', 'return'].includes(decoder.flow);
  }
  if (goesOn) moved.push(jumpTo(placed.address + end));
  let done = 0;
  for (const { bytes, distanceAt, to } of moved) {
    done += bytes.length;
    if (to !== undefined) bytes.writeInt32LE(distance(address + done, to), distanceAt);
  }
  return Uint8Array.from(Buffer.concat(moved.map(({ bytes }) => bytes)));
}
