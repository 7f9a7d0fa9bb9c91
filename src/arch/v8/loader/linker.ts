import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Instrumented, SourceType, Unparsed } from '../instrument/index.js';
import { includes, SafeMap } from '../realm/primordials.js';
import type { Realm } from '../realm/realm.js';
import { assemble, choosePrefix, deserializeEdits, serializeEdits } from '../text/index.js';
import { type ContentKey, keyOfText } from './content-key.js';
import { decodeEntry, encodeEntry, type TextEntry } from './entry-codec.js';
import { encodeFunctions } from './function-table.js';
import type { LinkEvent } from './link-event.js';
import type { LinkTable, TextRange } from './link-table.js';
import { packageNameOf } from './package-name.js';
import { type SitelessText, sitelessText } from './siteless-text.js';
import type { TextCache } from './text-cache.js';
import { positionsOf } from './text-positions.js';

/** The number under which each way of parsing is mixed into content keys. */
const KIND: Record<SourceType, number> = { script: 1, commonjs: 2, module: 3 };

/**
 * A text whose stored functions have other numbers than in this process is stored anew, but not more often than after this
 * many milliseconds: two programs may share it.
 */
const RESTORE_AFTER = 60_000;

interface StoredText {
  readonly entry: TextEntry;
  readonly text: string | undefined;
  readonly writtenAt: number;
}

type Instrument = (source: string, type: SourceType) => Instrumented | Unparsed;

/** What a linker is made with. */
export interface LinkerOptions {
  /** Undefined in a thread that only makes texts for another (the hooks thread). */
  readonly realm: Realm | undefined;
  readonly cache: TextCache | undefined;
  readonly links: LinkTable;
  /** URL of the folder of fentry's own files, with a slash at its end. Nothing in it gets sites. */
  readonly ownFolder: string;
  /** Whether texts of this npm package ('' = the application's own) get sites. */
  readonly selects: (packageName: string) => boolean;
  /** Called once for each text, before it runs. A text without sites has no detail. */
  readonly onLink: (link: LinkEvent, detail: LinkDetail | undefined) => void;
}

/** What the thread that runs a text with sites needs of it besides the text. */
export interface LinkDetail {
  /** The name that V8 knows the text under. */
  readonly name: string;
  readonly prefix: string;
  readonly edits: Uint8Array;
}

/** One way to read a source. */
export interface Reading {
  readonly type: SourceType;
  /** What V8 will call the text. */
  readonly name: string;
}

/** Turns sources into texts with sites, and tells of each. Never throws: what it cannot do runs as it was written. */
export class Linker {
  readonly #options: LinkerOptions;
  readonly #ownPath: string;
  #instrument: Instrument | undefined;
  #ended = false;
  #lastText: string | undefined;
  readonly #drains: (() => void)[] = [];
  readonly #linked = new SafeMap<number, true>();

  constructor(options: LinkerOptions) {
    this.#options = options;
    this.#ownPath = fileURLToPath(options.ownFolder);
  }

  /** From now on no text gets sites: for hooks that something of the program's still calls. */
  end(): void {
    this.#ended = true;
  }

  /** Whether the file's texts are to get sites at all. A file whose package was not chosen is told of. */
  admits(path: string): boolean {
    if (this.#ended || path.startsWith(this.#ownPath)) return false;
    const module = packageNameOf(path);
    if (this.#options.selects(module)) return true;
    this.#linkSiteless({ file: path, module, length: 1, reason: 'excluded' });
    return false;
  }

  /**
   * The text to run in place of `source`, or undefined: run the source itself. `path` is the file (or a URL where there is
   * none). Where Node finds out from the text what it is, there are several readings; the first that parses holds. A text that
   * this has just made, and that comes back through another hook (a required ES module), is left as it is.
   */
  link(source: string, path: string, readings: readonly Reading[]): string | undefined {
    try {
      if (source === this.#lastText || holdsNoFunction(source)) return undefined;
      for (let i = 0; i < this.#drains.length; i++) (this.#drains[i] as () => void)();
      const made = this.#link(source, path, readings);
      this.#lastText = made ?? this.#lastText;
      return made;
    } catch {
      return undefined;
    }
  }

  /** `drain` is called before each text is made: to take over first what another thread has made. */
  beforeLink(drain: () => void): void {
    this.#drains.push(drain);
  }

  /** Whether the source parses as `type`. */
  parses(source: string, type: SourceType): boolean {
    try {
      const stored = this.#options.cache?.read(keyOfText(source, KIND[type]), () => false);
      const entry = (stored && decodeEntry(stored.payload)) ?? this.#instrumented(source, type);
      return entry.unparsed === undefined;
    } catch {
      return false;
    }
  }

  /** Takes over a text that another thread has made for this one: defines its cells and tells of it. */
  adopt(link: LinkEvent, detail: LinkDetail | undefined): boolean {
    const { realm } = this.#options;
    const edits = detail && deserializeEdits(detail.edits);
    if (detail !== undefined && edits === undefined) return false;
    if (realm !== undefined && detail !== undefined && edits !== undefined) {
      if (!realm.cells.define(detail.prefix, link.firstFunction, link.functionCount)) {
        const { file, module, length } = link;
        this.#linkSiteless({ file, module, length, reason: 'frozen' });
        return false;
      }
      realm.texts.add(detail.name, positionsOf(link, edits, detail.prefix));
    }
    if (this.#linked.get(link.firstFunction) === undefined) {
      this.#linked.set(link.firstFunction, true);
      this.#options.onLink(link, detail);
    }
    return true;
  }

  #link(source: string, path: string, readings: readonly Reading[]): string | undefined {
    let furthest: Unparsed | undefined;
    for (const reading of readings) {
      const made = this.#read(source, path, reading);
      if (typeof made !== 'object') return made;
      if (furthest === undefined || isBefore(furthest, made)) furthest = made;
    }
    if (furthest === undefined) return undefined;
    const { unparsed: parserError, line, column } = furthest;
    const module = packageNameOf(path);
    this.#linkSiteless({ file: path, module, length: source.length, reason: 'unparsed', parserError, line, column });
    return undefined;
  }

  #read(source: string, path: string, { type, name }: Reading): string | Unparsed | undefined {
    const key = keyOfText(source, KIND[type]);
    const claim = (functionCount: number): TextRange =>
      this.#options.links.claim(withName(key, name), functionCount, source.length);
    const { entry, text: storedText, writtenAt } = this.#stored(key, claim) ?? { entry: this.#instrumented(source, type) };
    if (entry.functionCount === 0 && writtenAt === undefined) this.#write(key, entry, '');
    if (entry.unparsed !== undefined) return entry.unparsed;
    const edits = deserializeEdits(entry.edits);
    if (!edits || entry.functionCount === 0) return undefined;
    const { functionCount, prefix } = entry;
    const { firstFunction, base } = claim(functionCount);
    const text = storedText ?? assemble(source, edits, prefix, firstFunction);
    if (storedText === undefined && !(Date.now() - (writtenAt ?? 0) < RESTORE_AFTER))
      this.#write(key, { ...entry, firstFunction }, text);
    const link: LinkEvent = {
      file: path,
      module: packageNameOf(path),
      length: source.length,
      base,
      firstFunction,
      functionCount,
      functions: entry.functions,
      ...(entry.sourceMappingURL !== '' && { sourceMappingURL: entry.sourceMappingURL }),
    };
    return this.adopt(link, { name, prefix, edits: entry.edits }) ? text : undefined;
  }

  #linkSiteless(text: Omit<SitelessText, 'base' | 'firstFunction'>): void {
    const range = this.#options.links.claim(keyOfText(text.file, 0), 1, text.length);
    this.adopt(sitelessText({ ...text, ...range }), undefined);
  }

  /** The stored entry, and with it its text if the functions have the numbers there that they have in this process. */
  #stored(key: ContentKey, claim: (functionCount: number) => TextRange): StoredText | undefined {
    let entry: TextEntry | undefined;
    const stored = this.#options.cache?.read(key, (payload) => {
      entry = decodeEntry(payload);
      return entry !== undefined && entry.functionCount > 0 && claim(entry.functionCount).firstFunction === entry.firstFunction;
    });
    entry ??= stored && decodeEntry(stored.payload);
    return stored && entry && { entry, text: stored.text, writtenAt: stored.writtenAt };
  }

  #write(key: ContentKey, entry: TextEntry, text: string): void {
    this.#options.cache?.write(key, encodeEntry(entry), text);
  }

  #instrumented(source: string, type: SourceType): TextEntry {
    this.#instrument ??= createRequire(this.#options.ownFolder)('./instrument.cjs').instrument as Instrument;
    const made = this.#instrument(source, type);
    if ('unparsed' in made) return { ...NOTHING, unparsed: made };
    return {
      prefix: choosePrefix(source),
      sourceMappingURL: made.sourceMappingURL ?? '',
      functionCount: made.functions.length,
      firstFunction: 0,
      edits: serializeEdits(made.edits),
      functions: encodeFunctions(made.functions),
    };
  }
}

const NOTHING: TextEntry = {
  prefix: '',
  sourceMappingURL: '',
  functionCount: 0,
  firstFunction: 0,
  edits: new Uint8Array(0),
  functions: new Uint8Array(0),
};

/** Certain from two looks, and true of many small modules: every function has a body in braces or an arrow. */
const holdsNoFunction = (source: string): boolean => !includes(source, '{') && !includes(source, '=>');

/** The same content under two names is two texts. */
const withName = (key: ContentKey, name: string): ContentKey => {
  const other = keyOfText(name, 0);
  return [(key[0] ^ other[0]) >>> 0, (key[1] ^ other[1]) >>> 0, (key[2] ^ other[2]) >>> 0, (key[3] ^ other[3]) >>> 0];
};

/** Whether the parser came less far in reading `one` than in reading `other`. */
const isBefore = (one: Unparsed, other: Unparsed): boolean =>
  one.line === other.line ? one.column < other.column : one.line < other.line;
