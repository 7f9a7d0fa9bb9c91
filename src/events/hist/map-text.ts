import { charCodeAt } from '../../base/captured-strings.js';

// Taken before a program could replace them.
const { fromCharCode, fromCodePoint } = String;

/**
 * Writes a text from character `from` on as UTF-8, at most `room` bytes of it, up to where a character ends. The rest of `bytes`
 * is as before.
 * @returns bytes written
 */
export function putText(bytes: Uint8Array, at: number, room: number, text: string, from = 0): number {
  const end = at + room;
  const { length } = text;
  let to = at;
  for (let i = from; i < length; i++) {
    let code = charCodeAt(text, i);
    // What follows a zero byte does not belong to a text of C.
    if (code === 0) break;
    if (code < 0x80) {
      if (to >= end) break;
      bytes[to++] = code;
      continue;
    }
    if (code < 0x800) {
      if (to + 2 > end) break;
      bytes[to++] = 0xc0 | (code >> 6);
    } else {
      if ((code & 0xf800) === 0xd800) {
        const low = i + 1 < length && code < 0xdc00 ? charCodeAt(text, i + 1) : 0;
        const isPair = (low & 0xfc00) === 0xdc00;
        code = isPair ? 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff) : 0xfffd;
        if (isPair) i++;
      }
      if (code >= 0x10000) {
        if (to + 4 > end) break;
        bytes[to++] = 0xf0 | (code >> 18);
        bytes[to++] = 0x80 | ((code >> 12) & 0x3f);
      } else {
        if (to + 3 > end) break;
        bytes[to++] = 0xe0 | (code >> 12);
      }
      bytes[to++] = 0x80 | ((code >> 6) & 0x3f);
    }
    bytes[to++] = 0x80 | (code & 0x3f);
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
