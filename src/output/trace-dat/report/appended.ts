import { ENTRY_RESUMED, EXIT_SUSPENDED, EXIT_UNWOUND } from '../../../events/ftrace-events.js';
import type { CpuCursor } from '../cpu-cursor.js';
import { putBytes } from './put.js';

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const NOTHING = new Uint8Array(0);
const COMMA = latin1(', ');
const RESUMED = latin1(' /* resumed */');
const EXIT_NOTES: Readonly<Record<number, Uint8Array>> = {
  [EXIT_UNWOUND]: latin1(' /* unwound */'),
  [EXIT_SUSPENDED]: latin1(' /* suspended */'),
};
const RETURN = latin1(' /* = ');
const RETURN_END = latin1(' */');

/** What fentry appended to an entry or a function event, as positions in the window: it outlives the cursor's next step. */
export class AppendedEntry {
  #bytes: Uint8Array = NOTHING;
  #at = 0;
  #end = 0;
  #flags = 0;

  /** Takes the record's bytes from `from` (its fixed part's end) on; `hasFlags`: they begin with a byte of flags. */
  take(cursor: CpuCursor, from: number, hasFlags: boolean): void {
    this.#bytes = cursor.bytes;
    this.#at = cursor.at + from;
    this.#end = cursor.at + cursor.size;
    this.#flags = hasFlags && this.#at < this.#end ? cursor.bytes[this.#at++]! : 0;
  }

  /** There is nothing. */
  clear(): void {
    this.#at = this.#end = this.#flags = 0;
  }

  /** `1, "x"`: the arguments. */
  putArguments(out: Uint8Array, at: number): number {
    let from = this.#at;
    if (from >= this.#end) return at;
    for (let left = this.#bytes[from++]!, first = true; left > 0 && from < this.#end; left--, first = false) {
      const length = Math.min(this.#bytes[from++]!, this.#end - from);
      if (!first) at = putBytes(out, at, COMMA);
      for (const stop = from + length; from < stop; from++) out[at++] = this.#bytes[from]!;
    }
    return at;
  }

  hasArguments(): boolean {
    return this.#at < this.#end && this.#bytes[this.#at]! > 0;
  }

  /** A mark on the activation that goes on after it was suspended. */
  putMark(out: Uint8Array, at: number): number {
    return (this.#flags & ENTRY_RESUMED) !== 0 ? putBytes(out, at, RESUMED) : at;
  }
}

/** ` /* = 42 *​/`: what fentry appended to an exit, from byte `from` of its record on. */
export function putAppendedExit(out: Uint8Array, at: number, cursor: CpuCursor, from: number): number {
  let place = cursor.at + from;
  const end = cursor.at + cursor.size;
  if (place >= end) return at;
  const note = EXIT_NOTES[cursor.bytes[place++]!];
  if (note !== undefined) at = putBytes(out, at, note);
  const length = place < end ? Math.min(cursor.bytes[place++]!, end - place) : 0;
  if (length === 0) return at;
  at = putBytes(out, at, RETURN);
  for (const stop = place + length; place < stop; place++) out[at++] = cursor.bytes[place]!;
  return putBytes(out, at, RETURN_END);
}
