import { ENTRY_RESUMED, EXIT_SUSPENDED, EXIT_UNWOUND } from '../../../events/ftrace-events.js';
import type { TraceRecord } from '../../record.js';
import { putBytes } from './put.js';

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const NOTHING = new Uint8Array(0);
/** The largest text of a record's arguments: a count and lengths of one byte each, and the commas. */
const TEXT = Buffer.alloc(255 * (255 + 2));
const COMMA = latin1(', ');
const OUTCOMES: Readonly<Record<number, Uint8Array>> = {
  [EXIT_UNWOUND]: latin1(' unwound'),
  [EXIT_SUSPENDED]: latin1(' suspended'),
};
const RETURN = latin1(' ret=');

/**
 * What fentry appended to an entry or a function event, as positions in the window, which stay valid after the cursor's next
 * step.
 */
export class AppendedEntry {
  #bytes: Uint8Array = NOTHING;
  #at = 0;
  #end = 0;
  #flags = 0;

  /** Takes the record's bytes from `from` (its fixed part's end) on; `hasFlags`: they begin with a byte of flags. */
  take(record: TraceRecord, from: number, hasFlags: boolean): void {
    this.#bytes = record.bytes;
    this.#at = record.at * 4 + from;
    this.#end = record.at * 4 + record.size;
    this.#flags = hasFlags && this.#at < this.#end ? record.bytes[this.#at++]! : 0;
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

  /** The same as a text. */
  get arguments(): string {
    return this.hasArguments ? TEXT.toString('utf8', 0, this.putArguments(TEXT, 0)) : '';
  }

  /** Whether any were recorded. */
  get hasArguments(): boolean {
    return this.#at < this.#end && this.#bytes[this.#at] !== 0;
  }

  /** Whether it resumed after it was suspended. */
  get isResumed(): boolean {
    return (this.#flags & ENTRY_RESUMED) !== 0;
  }
}

/** What fentry appended to an exit: how the function ended, and what it returned. */
export class AppendedExit {
  #bytes: Uint8Array = NOTHING;
  #at = 0;
  #length = 0;
  #flags = 0;

  /** Takes the record's bytes from `from` (the kernel's part's end) on. */
  take(record: TraceRecord, from: number): void {
    const at = record.at * 4 + from;
    const end = record.at * 4 + record.size;
    this.#bytes = record.bytes;
    this.#flags = at < end ? record.bytes[at]! : 0;
    this.#at = at + 2;
    this.#length = at + 1 < end ? Math.min(record.bytes[at + 1]!, end - at - 2) : 0;
  }

  get isEmpty(): boolean {
    return this.#length === 0 && this.#flags === 0;
  }

  /** Whether the function awaits or yields: it will come back. */
  get isSuspended(): boolean {
    return (this.#flags & EXIT_SUSPENDED) !== 0;
  }

  /** `42`: the result. */
  get value(): string {
    if (this.#length === 0) return '';
    const { buffer, byteOffset } = this.#bytes;
    return Buffer.from(buffer, byteOffset + this.#at, this.#length).toString('utf8');
  }

  /** ` suspended`, ` ret=42`: what stands inside the comment. */
  put(out: Uint8Array, at: number): number {
    const outcome = OUTCOMES[this.#flags];
    if (outcome !== undefined) at = putBytes(out, at, outcome);
    if (this.#length === 0) return at;
    at = putBytes(out, at, RETURN);
    for (let i = 0; i < this.#length; i++) out[at + i] = this.#bytes[this.#at + i]!;
    return at + this.#length;
  }
}
