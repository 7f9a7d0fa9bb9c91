import {
  StringPrototypeCharCodeAt as charCodeAt,
  StringPrototypeIndexOf as indexOf,
  StringPrototypeSlice as slice,
} from '../../base/primordials.js';

const PLUS = 0x2b;
const ZERO = 0x30;
const LETTER_A = 0x61;

/** The number behind `0x` at a place of a text. */
function hexadecimalAt(text: string, from: number): number {
  let value = 0;
  for (let i = from; i < text.length; i++) {
    const code = charCodeAt(text, i);
    const digit = code >= LETTER_A ? code - LETTER_A + 10 : code - ZERO;
    if (digit < 0 || digit > 15) break;
    value = value * 16 + digit;
  }
  return value;
}

/** A frame as bpftrace shows it: `sum+27 [package]` for `sum+0x1b/0x34 [package]`. */
function frameText(frame: string): string {
  let at = 0;
  let plus = -1;
  for (; at < frame.length; at++) if (charCodeAt(frame, at) === PLUS) plus = at;
  if (plus < 0) return frame;
  const blank = indexOf(frame, ' [');
  return `${slice(frame, 0, plus)}+${hexadecimalAt(frame, plus + 3)}${blank < 0 ? '' : slice(frame, blank, frame.length)}`;
}

/**
 * A stack as bpftrace prints it: an empty line, and each frame on a line of its own.
 * @param lines as ScriptContext.stack has them
 * @param indent blanks before each frame: 4 in a key, 8 elsewhere
 */
export function stackText(lines: string, indent: 4 | 8): string {
  const blanks = indent === 4 ? '    ' : '        ';
  let text = '\n';
  for (let from = 0; from < lines.length; ) {
    const end = indexOf(lines, '\n', from);
    const to = end < 0 ? lines.length : end;
    text += `${blanks}${frameText(slice(lines, from, to))}\n`;
    from = to + 1;
  }
  return text;
}
