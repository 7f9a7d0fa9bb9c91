import { ByteWriter } from './byte-writer.js';

/** The strings section's content: a string's id is its offset in it. */
export class Strings {
  readonly #content = new ByteWriter();
  readonly #ids = new Map<string, number>();

  id(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const id = this.#content.length;
    this.#content.cstring(text);
    this.#ids.set(text, id);
    return id;
  }

  get bytes(): Buffer {
    return this.#content.bytes;
  }
}
