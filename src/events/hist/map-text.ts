import { StringFromCharCode as fromCharCode, StringFromCodePoint as fromCodePoint } from '../../base/primordials.js';
import { characterAt, charBytes, charUnits, putCharacter } from '../../base/utf8.js';

// Taken before a program could replace them.

/**
 * Writes a text from character `from` on as UTF-8, at most `room` bytes of it, up to where a character ends. The rest of `bytes`
 * is as before.
 * @returns bytes written
 */
export function putText(bytes: Uint8Array, at: number, room: number, text: string, from = 0): number {
  const end = at + room;
  const { length } = text;
  let to = at;
  for (let i = from; i < length; ) {
    const code = characterAt(text, i);
    // What follows a zero byte does not belong to a text of C.
    if (code === 0 || to + charBytes(code) > end) break;
    to = putCharacter(bytes, to, code);
    i += charUnits(code);
  }
  return to - at;
}

/** The text of UTF-8 bytes up to a zero byte, of at most `room`. What is not UTF-8 becomes U+FFFD. */
export function textOf(bytes: Uint8Array, at: number, room: number): string {
  let text = '';
  const end = at + room;
  for (let i = at; i < end && bytes[i] !== 0; ) {
    const first = bytes[i++]!;
    const more = first < 0x80 ? 0 : first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : -1;
    if (more <= 0) {
      text += more === 0 ? fromCharCode(first) : '\ufffd';
      continue;
    }
    let code = first & (0x3f >> more);
    for (let j = 0; j < more && i < end && (bytes[i]! & 0xc0) === 0x80; j++) code = (code << 6) | (bytes[i++]! & 0x3f);
    text += fromCodePoint(code);
  }
  return text;
}
