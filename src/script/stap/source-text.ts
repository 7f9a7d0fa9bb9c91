/** A script's text, in bytes: each character of `bytes` is one. What follows a NUL is no part of it. */
export class SourceText {
  readonly bytes: string;
  #starts: readonly number[] | undefined;

  constructor(
    /** The file as it was named; `<input>` for a script that was given as an argument. */
    readonly path: string,
    text: string,
  ) {
    const bytes = toBytes(text);
    const end = bytes.indexOf('\0');
    this.bytes = end === -1 ? bytes : bytes.slice(0, end);
  }

  /** A line's bytes, from 1, without its end; "" for one that is not there. */
  line(number: number): string {
    this.#starts ??= lineStarts(this.bytes);
    const start = this.#starts[number - 1];
    if (start === undefined) return '';
    return this.bytes.slice(start, this.#starts[number] === undefined ? undefined : this.#starts[number]! - 1);
  }
}

function lineStarts(bytes: string): number[] {
  const starts = [0];
  for (let at = bytes.indexOf('\n'); at !== -1; at = bytes.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

const ASCII = /^[\0-\x7f]*$/;

export function toBytes(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** Bytes as text; what is no UTF-8 becomes U+FFFD. */
export function fromBytes(bytes: string): string {
  return ASCII.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}
