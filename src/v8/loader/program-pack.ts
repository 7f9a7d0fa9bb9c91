import type { CacheFolder } from '../../base/cache/cache-folder.js';
import { keyOfText } from './content-key.js';
import { decodeEntry, encodeEntry } from './entry-codec.js';
import type { ReadText } from './linker.js';
import { type CompiledText, codeOf, textOf } from './module-scripts.js';
import { ReadTexts } from './read-texts.js';
import { type PackedText, PackWriter, packName, StartPack } from './start-pack.js';
import type { TextCache } from './text-cache.js';
import { v8Name } from './v8-name.js';

/** A pack is replaced by another no sooner than after so many milliseconds: two runs of the program may load other texts. */
const REPLACE_AFTER = 60_000;
/** A process that is so many times older than the one that stored the pack knows better which functions are called. */
const OLDER = 4;
/** The first run instruments texts, and is slow; it stores no pack if that was so for more of them than one in so many. */
const NEW_SHARE = 4;

/** While the program runs: characters of the largest text, whose code takes some milliseconds to store, and bytes of all. */
const LARGE = 512 * 1024;
const MOST_AT_ONCE = 8 * 1024 * 1024;

/** A pack that is being put together. */
interface Storing {
  /** The row that is added next. */
  row: number;
  readonly writer: PackWriter;
  /** Texts that were too large. */
  leftOut: number;
}

/** The pack of the program that this thread runs: what it had when the program started, and what is stored for its next start. */
export class ProgramPack {
  readonly #folder: CacheFolder;
  readonly #cache: TextCache;
  readonly #packages: string;
  #knownName: string | undefined;
  /** Weak, as the memory is needed only while the program starts: within one job nothing is collected. */
  #pack: WeakRef<StartPack> | undefined;
  /** How old the process was that stored the pack, and when that was, as this program found it or has stored it itself. */
  #known: { readonly age: number; readonly writtenAt: number } | undefined;
  readonly #texts = new ReadTexts<CompiledText>();
  #missing = 0;
  #new = 0;
  #isDamaged = false;
  #hasFound = false;
  #storing: Storing | undefined;

  /**
   * @param packages what `instrument=`, `statement_sites=` and `module_sites` say, and the id of a prepared pack: with others,
   *   other functions have sites, or other numbers
   */
  constructor(folder: CacheFolder, cache: TextCache, packages: string) {
    this.#folder = folder;
    this.#cache = cache;
    this.#packages = packages;
  }

  get #name(): string {
    this.#knownName ??= packName(keyOfText([process.argv[1], v8Name(), this.#packages].join('\n'), 0));
    return this.#knownName;
  }

  get pack(): StartPack {
    let pack = this.#pack?.deref();
    if (pack === undefined) {
      pack = StartPack.read(this.#folder, this.#name, () => {
        this.#isDamaged = true;
      });
      this.#pack = new WeakRef(pack);
      if (this.#known === undefined) this.#hasFound = pack.size > 0;
      this.#known ??= { age: pack.age, writtenAt: pack.writtenAt };
    }
    return pack;
  }

  /** A text was read. */
  seen(read: ReadText): void {
    if (read.packed === undefined) this.#missing++;
    if (read.isNew) this.#new++;
    this.#texts.read(read);
  }

  /**
   * A text was compiled by ModuleScripts. If its code is in the pack, what was compiled need not live longer for it: it holds the
   * bytecode of the module's own function, 53 bytes for each function in it (`npm run bench memory`).
   */
  compiled(read: ReadText, made: CompiledText, isCodeUsed: boolean): void {
    if (!isCodeUsed && read.packed !== undefined) this.#missing++;
    this.#texts.compiled(read, made, !isCodeUsed);
  }

  /** Whether there was a pack when the program started, and no text was instrumented. */
  get isWarm(): boolean {
    return this.#hasFound && this.#texts.size > 0 && this.#new === 0;
  }

  /** Stores the pack for the program's next start, if it would be better than the one that there is. */
  store(): void {
    this.#storing = undefined;
    if (!this.#isBetter()) return;
    const storing = this.#begin();
    while (storing.row < this.#texts.size) this.#add(storing);
    storing.writer.store(this.#folder, this.#name, this.#age);
  }

  /**
   * Stores while the program runs, part by part: nothing in it may take long, so that large texts are left out.
   * @returns whether there is more to do
   */
  storeSome(isOver: () => boolean): boolean {
    if (this.#storing === undefined && !this.#isBetter()) {
      this.#releaseAll();
      return false;
    }
    this.#storing ??= this.#begin();
    const { writer } = this.#storing;
    while (this.#storing.row < this.#texts.size && writer.bytes <= MOST_AT_ONCE) {
      if (isOver()) return true;
      this.#add(this.#storing, LARGE);
    }
    const { leftOut } = this.#storing;
    const isWhole = writer.bytes <= MOST_AT_ONCE;
    if (isWhole) writer.store(this.#folder, this.#name, this.#age);
    this.#storing = undefined;
    // The end of the program stores another only if it knows more, or has time for large texts. One of a small part is none.
    if (isWhole) {
      this.#missing = leftOut;
      this.#known = { writtenAt: this.#known?.writtenAt ?? 0, age: this.#age };
      this.#pack = undefined;
      this.#releaseAll();
    }
    return false;
  }

  get #age(): number {
    return Math.round(process.uptime() * 1000);
  }

  #isBetter(): boolean {
    const { age: storedAge, writtenAt } = this.#known ?? { age: 0, writtenAt: 0 };
    const { size } = this.#texts;
    if (size === 0 || this.#new * NEW_SHARE > size) return false;
    if (this.#missing === 0 && this.#age < OLDER * storedAge) return false;
    return (this.#isDamaged || Date.now() - writtenAt >= REPLACE_AFTER) && this.#folder.isWritable;
  }

  #begin(): Storing {
    return { row: 0, writer: new PackWriter(), leftOut: 0 };
  }

  /**
   * The program runs on: V8 may drop what was compiled of its texts, as it does without fentry. Only large ones are for the end.
   */
  #releaseAll(): void {
    for (let row = 0; row < this.#texts.size; row++) {
      const made = this.#texts.made(row);
      if (made === undefined || textOf(made).length <= LARGE) this.#texts.release(row);
    }
  }

  /** @param limit characters of the largest text */
  #add(storing: Storing, limit = Infinity): void {
    const row = storing.row++;
    const made = this.#texts.made(row);
    const isLarge = made !== undefined && textOf(made).length > limit;
    const text = isLarge ? undefined : this.#packed(row, made);
    if (isLarge || (text !== undefined && text.text.length > limit)) storing.leftOut++;
    else if (text !== undefined) storing.writer.add(this.#texts.at(row).placeKey, text);
  }

  #packed(row: number, made: CompiledText | undefined): PackedText | undefined {
    const { key, placeKey, functionCount, firstFunction } = this.#texts.at(row);
    const known = this.pack.find(placeKey, () => true);
    const hasNumbers = (payload: Uint8Array<ArrayBuffer>): boolean => decodeEntry(payload)?.firstFunction === firstFunction;
    if (known !== undefined && made === undefined && hasNumbers(known.payload)) return known;
    // The next start compiles it again, and has its code to store.
    if (made === undefined && this.#texts.isCompiled(row)) return undefined;
    const stored = this.#cache.read(key, (payload) => made === undefined && hasNumbers(payload));
    const entry = stored && decodeEntry(stored.payload);
    if (stored === undefined || entry?.functionCount !== functionCount) return undefined;
    if (functionCount === 0) return { payload: stored.payload, text: '', code: undefined, isCompiled: false };
    const payload = encodeEntry({ ...entry, firstFunction });
    if (made !== undefined) return { payload, text: textOf(made), code: codeOf(made), isCompiled: true };
    return stored.text === undefined ? undefined : { payload, text: stored.text, code: undefined, isCompiled: false };
  }
}
