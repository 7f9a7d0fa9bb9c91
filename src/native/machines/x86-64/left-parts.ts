import type { FindLeftParts } from '../../text/left-parts.js';
import { INT3 } from './probe-places.js';

/** Bytes of a call or a jump, and the first byte of each. */
const JUMP_BYTES = 5;
const OPCODES: ReadonlySet<number> = new Set([0xe8, 0xe9]);
/** Other bytes that are no farther from a jump than this belong to the same site. */
const SITE_BYTES = 16;

export const leftParts: FindLeftParts = ({ text, original, address, isLeft, traps }) => {
  const view = new DataView(text.buffer, text.byteOffset, text.length);
  const leads = (at: number): boolean =>
    at >= 0 &&
    at + JUMP_BYTES <= text.length &&
    OPCODES.has(text[at]!) &&
    isLeft(address + at + JUMP_BYTES + view.getInt32(at + 1, true));
  const parts: [number, number][] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === original[at]) continue;
    const jump = Array.from({ length: JUMP_BYTES }, (_, i) => at - i).find(leads);
    if (jump === undefined) {
      if (text[at] === INT3 && traps.has(address + at)) parts.push([at, at + 1]);
      continue;
    }
    let end = jump + JUMP_BYTES;
    for (let next = end; next < Math.min(jump + SITE_BYTES, text.length) && !leads(next); next++) {
      if (text[next] !== original[next]) end = next + 1;
    }
    parts.push([jump, end]);
    at = end - 1;
  }
  return parts;
};
