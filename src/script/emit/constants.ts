import type { PosixPattern } from '../posix-pattern.js';

/** The constants of a script's code: no text or name of the script stands in the code itself. */
export class Constants {
  readonly all: (string | bigint | PosixPattern)[] = [];
  readonly #indices = new Map<string, number>();

  /** The expression for a text. */
  text(text: string): string {
    let index = this.#indices.get(text);
    if (index === undefined) {
      index = this.all.push(text) - 1;
      this.#indices.set(text, index);
    }
    return `K[${index}]`;
  }

  pattern(pattern: PosixPattern): string {
    return `K[${this.all.push(pattern) - 1}]`;
  }
}
