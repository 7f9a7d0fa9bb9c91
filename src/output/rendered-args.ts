import type { TextSymbol } from '../core/symbols.js';
import type { TraceSeq } from './trace-seq.js';

const COMMA = 0x2c;
const EQUALS = 0x3d;
const OPEN = 0x28;
const CLOSE = 0x29;
const SPACE = 0x20;

/**
 * Prints the arguments appended to an entry as `(name=value, name=value)`; see events/ftrace-events.
 * @param from index in `bytes` of the count
 * @param end index after the record
 */
export function printArgs(seq: TraceSeq, symbol: TextSymbol | undefined, bytes: Uint8Array, from: number, end: number): void {
  seq.byte(OPEN);
  const count = from < end ? bytes[from]! : 0;
  let at = from + 1;
  for (let i = 0; i < count && at < end; i++) {
    if (i > 0) {
      seq.byte(COMMA);
      seq.byte(SPACE);
    }
    const name = symbol?.params[i];
    if (name !== undefined) {
      seq.text(name);
      seq.byte(EQUALS);
    }
    const length = Math.min(bytes[at]!, end - at - 1);
    seq.putRange(bytes, at + 1, length);
    at += 1 + length;
  }
  seq.byte(CLOSE);
}
