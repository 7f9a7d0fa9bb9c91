import type { FindLeftParts } from '../../text/left-parts.js';
import { CALL_PAD, INSTRUCTION_LENGTH, MOV_X9_LR } from './encode.js';
import { branchTarget } from './move.js';

const isCall = (word: number): boolean => (word & 0xfc000000) >>> 0 === 0x94000000;
/** A call goes where a jump of the same distance goes. */
const AS_JUMP = 0x80000000;

/** A site has one instruction, or two: `mov x9, lr` or `bti c` is before the branch. */
export const leftParts: FindLeftParts = ({ text, original, address, isLeft }) => {
  const [now, before] = [text, original].map((bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)) as [
    DataView,
    DataView,
  ];
  const leads = (at: number): boolean => {
    if (at + INSTRUCTION_LENGTH > text.length) return false;
    const word = now.getUint32(at, true);
    const target = branchTarget(isCall(word) ? (word & ~AS_JUMP) >>> 0 : word, address + at);
    return target !== undefined && isLeft(target);
  };
  const parts: [number, number][] = [];
  for (let at = 0; at + INSTRUCTION_LENGTH <= text.length; at += INSTRUCTION_LENGTH) {
    const word = now.getUint32(at, true);
    if (word === before.getUint32(at, true)) continue;
    if (leads(at)) parts.push([at, at + INSTRUCTION_LENGTH]);
    else if ((word === MOV_X9_LR || word === CALL_PAD) && leads(at + INSTRUCTION_LENGTH)) {
      parts.push([at, at + 2 * INSTRUCTION_LENGTH]);
      at += INSTRUCTION_LENGTH;
    }
  }
  return parts;
};
