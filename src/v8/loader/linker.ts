import { createRequire } from 'node:module';
import { filePath } from '../../base/file-path.js';
import { IntMap } from '../../base/int-map.js';
import { untraced } from '../../base/untraced-fs.js';
import type { FurtherSites, Instrumented, SourceType, Unparsed } from '../instrument/index.js';
import type { NoSiteReason } from '../js-text.js';
import type { CellRange } from '../realm/cells.js';
import { orWithOwnBuiltIns } from '../realm/own-built-ins.js';
import { includes } from '../realm/primordials.js';
import type { Realm } from '../realm/realm.js';
import type { Undo } from '../realm/undo.js';
import { assemble, choosePrefix, deserializeEdits, serializeEdits } from '../text/index.js';
import type { Placement } from '../text/placement.js';
import { type ContentKey, keyOfText } from './content-key.js';
import { decodeEntry, encodeEntry, type TextEntry } from './entry-codec.js';
import { encodeFunctions } from './function-table.js';
import type { LinkEvent } from './link-event.js';
import type { LinkedRange, LinkTable } from './link-table.js';
import { MENTION, mentionsOf, mentionsOfParsed } from './mentions.js';
import { originalForm } from './module-text.js';
import { packageNameOf } from './package-name.js';
import type { PreparedPack } from './prepared-pack.js';
import { type SitelessText, sitelessText } from './siteless-text.js';
import type { PackedText, StartPack } from './start-pack.js';
import type { TextCache } from './text-cache.js';
import { positionsOf } from './text-positions.js';

const { hrtime } = process;

/** The number of each way of parsing in content keys. */
const KIND: Record<SourceType, number> = { script: 1, commonjs: 2, module: 3, 'async-body': 4 };

/** Added to it for a text with sites at statements. */
const WITH_STATEMENTS = 8;

/** Added to it for a text with sites of its code outside of functions. */
const WITH_MODULE = 16;

/**
 * A text whose stored functions have other numbers than in this process is stored again, but only after so many milliseconds:
 * two programs may share it.
 */
const RESTORE_AFTER = 60_000;

/**
 * Packages whose own text Node shows, line and all, above every error of the program, because they throw it again and hide
 * themselves from its stack.
 */
const RETHROWS: Readonly<Record<string, NoSiteReason | undefined>> = { __proto__: null as never, esm: 'rethrows' };

interface StoredText {
  readonly entry: TextEntry;
  readonly text: string | undefined;
  readonly writtenAt: number;
  readonly packed?: PackedText;
}

/** A text that was read or made, with what the caches had of it. */
export interface ReadText {
  /** The key of its source's content. */
  readonly key: ContentKey;
  /** The key of the content with the name and place of the text. */
  readonly placeKey: ContentKey;
  /** 0 for one without functions. */
  readonly functionCount: number;
  readonly firstFunction: number;
  readonly packed: PackedText | undefined;
  /** A CommonJS text in which `import()` may be called, or an ES module. */
  readonly mayImport: boolean;
  /** Whether the text was in no cache. */
  readonly isNew: boolean;
}

/** The numbers of a text of so many functions. @param reserved the first of them, in a prepared pack */
type Claim = (functionCount: number, reserved?: number) => LinkedRange;

type Instrument = (source: string, type: SourceType, further: FurtherSites) => Instrumented | Unparsed;

/** What a linker is created with. */
export interface LinkerOptions {
  /** Undefined in a thread that only makes texts for another (the hooks thread). */
  readonly realm: Realm | undefined;
  readonly cache: Pick<TextCache, 'read' | 'write'> | undefined;
  /** Where the texts that the program loads when it starts are looked for first. */
  readonly pack?: () => StartPack | undefined;
  /** Where they are looked for next: the texts of `fentry prepare`. Undefined: there are none. */
  readonly prepared?: PreparedPack | undefined;
  /** Whether V8's code of prepared texts is of use. */
  readonly wantsCode?: boolean;
  /** Called with each text that could be in it. */
  readonly onRead?: (text: ReadText) => void;
  readonly links: LinkTable;
  /** URL of the folder of fentry's own files, with a slash at its end. Nothing in it gets sites. */
  readonly fentryFolder: string;
  /** Whether texts of this npm package ('' = the application's own) get sites. */
  readonly selects: (packageName: string) => boolean;
  /** Whether they also get sites at statements. */
  readonly selectsStatements: (packageName: string) => boolean;
  /** Whether the code of modules outside of functions gets sites (the option `module_sites`). */
  readonly hasModuleSites: boolean;
  /** Called once for each text, before it runs. A text without sites has no detail. */
  readonly onLink: (link: LinkEvent, detail: LinkDetail | undefined) => void;
}

/** What a thread needs besides the text to run a text with sites. */
export interface LinkDetail {
  /** The name that V8 knows the text under. */
  readonly name: string;
  readonly prefix: string;
  /** Perhaps a view of a larger buffer. */
  readonly edits: Uint8Array;
  /** Whether its functions have sites at statements. */
  readonly hasStatements?: boolean;
  /** The program compiles the text itself: cells are defined in the realms that run it. */
  readonly isShared?: boolean;
  /** V8 knows its name only from `//# sourceURL=`. */
  readonly isGenerated?: boolean;
}

/** A text with sites, and its cells. */
export interface TextWithSites {
  readonly text: string;
  readonly cells: CellRange;
}

/** A text with sites that Node's loader has read. */
export interface ModuleText extends TextWithSites {
  readonly read: ReadText;
}

/** One way to read a source. */
export interface SourceReading {
  readonly type: SourceType;
  /** What V8 will call the text; a function where it takes time to say, and most texts are not read so. */
  readonly name: string | (() => string);
  /** Present when the program compiles the text itself. */
  readonly placement?: Placement;
}

/** How a module came to be loaded, if that is asked for (`module_sites`). */
export interface ModuleLoading {
  /** The file whose code required it. */
  readonly importer?: string | undefined;
  /** Nanoseconds that it took to read it. */
  readonly readTime?: number | undefined;
}

/** What is told of it. @param begun when its sites were begun, by `hrtime` */
const loadingOf = ({ importer, readTime }: ModuleLoading, begun: bigint): Partial<LinkEvent> => ({
  ...(importer !== undefined && { importer }),
  ...(readTime !== undefined && { readTime }),
  siteTime: Number(hrtime.bigint() - begun),
});

/** Turns sources into texts with sites, and announces each. Never throws: a source that it cannot handle runs unchanged. */
export class Linker {
  readonly #options: LinkerOptions;
  readonly #ownPath: string;
  #instrument: Instrument | undefined;
  #ended = false;
  #awaited: { readonly name: string; readonly come: () => void } | undefined;
  #lastText: string | undefined;
  readonly #drains: (() => void)[] = [];
  readonly #looks: ((mentions: number) => void)[] = [];
  /** The first functions of the texts that were announced; 1 for each. */
  readonly #linked = new IntMap();

  constructor(options: LinkerOptions) {
    this.#options = options;
    this.#ownPath = filePath(options.fentryFolder);
  }

  /** From now on no text gets sites: for hooks that the program still calls. */
  end(): void {
    this.#ended = true;
  }

  /** Calls `come` when a file of this package is about to be loaded for the first time. */
  onPackage(name: string, come: () => void): void {
    this.#awaited = { name, come };
  }

  /** Calls `look`, which must not throw, before each text with what it mentions. */
  beforeText(look: (mentions: number) => void): Undo {
    this.#looks[this.#looks.length] = look;
    return () => {
      const at = this.#looks.indexOf(look);
      if (at >= 0) this.#looks.splice(at, 1);
    };
  }

  /** A text is about to run that gets no sites. */
  notice(source: unknown): void {
    if (typeof source === 'string') this.#mention(mentionsOf(source));
  }

  /** Whether the file's texts get sites. A file whose package was not chosen is announced. */
  admits(path: string, source?: string): boolean {
    if (this.#ended || path.startsWith(this.#ownPath)) return false;
    const module = packageNameOf(path);
    if (module === this.#awaited?.name) {
      const { come } = this.#awaited;
      this.#awaited = undefined;
      come();
    }
    const reason = this.#options.selects(module) ? RETHROWS[module] : 'excluded';
    if (reason === undefined) return true;
    // Where the source is not known yet, the text may mention anything.
    this.#mention(source === undefined ? MENTION.threads | MENTION.imports : mentionsOf(source));
    this.#linkSiteless({ file: path, module, length: 1, reason });
    return false;
  }

  /**
   * The text to run in place of `source`, or undefined: run the source itself. `path` is the file (or a URL where there is
   * none). If Node finds out from the text what it is, there are several ways to parse it; the first that succeeds counts. A
   * text that was just instrumented, and that comes back through another hook (a required ES module), is not changed.
   */
  link(source: string, path: string, readings: readonly SourceReading[], loading: ModuleLoading = {}): ModuleText | undefined {
    try {
      return orWithOwnBuiltIns(() => this.#linkModule(source, path, readings, loading));
    } catch {
      return undefined;
    }
  }

  #linkModule(source: string, path: string, readings: readonly SourceReading[], loading: ModuleLoading): ModuleText | undefined {
    if (source === this.#lastText) return undefined;
    if (holdsNoFunction(source) && !this.#options.hasModuleSites) {
      this.notice(source);
      return undefined;
    }
    for (let i = 0; i < this.#drains.length; i++) (this.#drains[i] as () => void)();
    const made = this.#link(source, path, readings, loading);
    this.#lastText = made?.text ?? this.#lastText;
    return made;
  }

  /**
   * The text to compile in place of one that the program compiles itself under the name of a file, or undefined. Its cells must
   * be defined in each realm before it runs there.
   */
  linkShared(
    source: string,
    path: string,
    reading: SourceReading & { readonly placement: Placement },
  ): TextWithSites | undefined {
    try {
      const made = orWithOwnBuiltIns(() => this.#read(source, path, reading));
      // Without what was read, which the program may keep for long.
      if (made !== undefined && 'text' in made) return { text: made.text, cells: made.cells };
      if (made !== undefined) this.#linkUnparsed(source, path, made);
      return undefined;
    } catch {
      return undefined;
    }
  }

  /** Announces a text that runs unchanged. */
  refuse(path: string, length: number, reason: NoSiteReason): void {
    if (!this.#ended) this.#linkSiteless({ file: path, module: packageNameOf(path), length, reason });
  }

  /** `drain` is called before each text is instrumented, to take over first what another thread has instrumented. */
  beforeLink(drain: () => void): void {
    this.#drains.push(drain);
  }

  /** Whether the source parses as `type`. */
  parses(source: string, type: SourceType): boolean {
    try {
      const stored = this.#options.cache?.read(keyOfText(source, KIND[type]), () => false);
      const entry = (stored && decodeEntry(stored.payload)) ?? this.#instrumented(source, type, {});
      return entry.unparsed === undefined;
    } catch {
      return false;
    }
  }

  /** Takes over a text that another thread has instrumented for this one: defines its cells and announces it. */
  adopt(link: LinkEvent, detail: LinkDetail | undefined): boolean {
    const { realm } = this.#options;
    const edits = detail && deserializeEdits(detail.edits);
    if (detail !== undefined && edits === undefined) return false;
    if (realm !== undefined && detail !== undefined && edits !== undefined) {
      const { firstFunction: first, functionCount: count } = link;
      if (detail.isShared) realm.cells.share({ prefix: detail.prefix, first, count, hasStatements: detail.hasStatements });
      else if (!realm.cells.define(detail.prefix, first, count, detail.hasStatements)) {
        const { file, module, length } = link;
        this.#linkSiteless({ file, module, length, reason: 'frozen' });
        return false;
      }
      const positions = positionsOf(link, edits, detail.prefix);
      if (detail.isGenerated) realm.texts.addGenerated(detail.name, positions);
      else realm.texts.add(detail.name, positions);
    }
    if (this.#linked.get(link.firstFunction) === 0) {
      this.#linked.set(link.firstFunction, 1);
      this.#options.onLink(link, detail);
    }
    return true;
  }

  #link(source: string, path: string, readings: readonly SourceReading[], loading: ModuleLoading): ModuleText | undefined {
    let furthest: Unparsed | undefined;
    for (const reading of readings) {
      const made = this.#read(source, path, reading, loading);
      if (made === undefined || !('unparsed' in made)) return made;
      if (furthest === undefined || isBefore(furthest, made)) furthest = made;
    }
    if (furthest !== undefined) this.#linkUnparsed(source, path, furthest);
    return undefined;
  }

  #linkUnparsed(source: string, path: string, { unparsed: parserError, line, column }: Unparsed): void {
    const module = packageNameOf(path);
    this.#linkSiteless({ file: path, module, length: source.length, reason: 'unparsed', parserError, line, column });
  }

  #read(
    source: string,
    path: string,
    { type, name: given, placement }: SourceReading,
    loading: ModuleLoading = {},
  ): ModuleText | Unparsed | undefined {
    const name = typeof given === 'string' ? given : given();
    const begun = this.#options.hasModuleSites ? hrtime.bigint() : 0n;
    const hasStatements = this.#options.selectsStatements(packageNameOf(path));
    const further = { statements: hasStatements, module: this.#options.hasModuleSites && isModule(type) };
    const key = keyOfText(source, KIND[type] + (hasStatements ? WITH_STATEMENTS : 0) + (further.module ? WITH_MODULE : 0));
    const place = placement === undefined ? name : `${name}\n${placement.lines}:${placement.columns}:${placement.units}`;
    const placeKey = withName(key, place);
    let range: LinkedRange | undefined;
    const claim: Claim = (functionCount, reserved) =>
      (range ??= this.#options.links.claim(placeKey, functionCount, source.length, reserved));
    const stored = this.#stored(key, placeKey, claim);
    const entry: MadeEntry = stored?.entry ?? this.#options.links.whileBusy(() => this.#instrumented(source, type, further));
    const { writtenAt, text: storedText, packed } = stored ?? {};
    const { functionCount, prefix } = entry;
    const isNew = stored === undefined;
    const mayImport = type === 'module' || entry.mayImport;
    this.#mention(entry.mentions);
    if (functionCount === 0) {
      if (isNew) this.#write(key, entry, '');
      this.#options.onRead?.({ key, placeKey, functionCount, firstFunction: 0, packed, mayImport, isNew });
    }
    if (entry.unparsed !== undefined) return entry.unparsed;
    const edits = deserializeEdits(entry.edits);
    if (!edits || functionCount === 0) return undefined;
    const { firstFunction, base } = claim(functionCount);
    const text = storedText ?? entry.assemble?.(prefix, firstFunction) ?? assemble(source, edits, prefix, firstFunction);
    if (storedText === undefined && !(Date.now() - (writtenAt ?? 0) < RESTORE_AFTER))
      this.#write(key, { ...entry, firstFunction }, text);
    const read = { key, placeKey, functionCount, firstFunction, packed, mayImport, isNew };
    this.#options.onRead?.(read);
    const link: LinkEvent = {
      file: path,
      module: packageNameOf(path),
      length: source.length,
      base,
      firstFunction,
      functionCount,
      functions: entry.functions,
      ...(entry.sourceMappingURL !== '' && { sourceMappingURL: entry.sourceMappingURL }),
      ...(placement && { placement }),
      ...(further.module && loadingOf(loading, begun)),
    };
    const isShared = placement !== undefined;
    const isGenerated = type === 'async-body';
    if (!this.adopt(link, { name, prefix, edits: entry.edits, isShared, isGenerated, hasStatements })) return undefined;
    return { text, cells: { prefix, first: firstFunction, count: functionCount, hasStatements }, read };
  }

  #mention(mentions: number): void {
    // A look may take itself away.
    for (let i = this.#looks.length - 1; i >= 0; i--) (this.#looks[i] as (mentions: number) => void)(mentions);
  }

  #linkSiteless(text: Omit<SitelessText, 'base' | 'firstFunction'>): void {
    const range = this.#options.links.claim(keyOfText(text.file, 0), 1, text.length);
    this.adopt(sitelessText({ ...text, ...range }), undefined);
  }

  /** The stored entry, with its text if its functions have the same numbers as in this process. */
  #stored(key: ContentKey, placeKey: ContentKey, claim: Claim): StoredText | undefined {
    const prepared = this.#prepared;
    /** The numbers of prepared texts are known; those of others are given out from `end` on. */
    const end = prepared?.functions ?? 0;
    let entry: TextEntry | undefined;
    const hasNumbers = (payload: Uint8Array<ArrayBuffer>, reserved = false): boolean => {
      entry = decodeEntry(payload);
      if (entry === undefined || entry.functionCount === 0) return false;
      const { functionCount, firstFunction: first } = entry;
      return claim(functionCount, reserved && first < end ? first : undefined).firstFunction === first;
    };
    const packed = this.#options.pack?.()?.find(placeKey, (payload) => hasNumbers(payload, true) || entry?.functionCount === 0);
    if (packed !== undefined) return { entry: entry!, text: originalForm(packed), writtenAt: Number.POSITIVE_INFINITY, packed };
    const isWanted = (payload: Uint8Array<ArrayBuffer>): boolean => hasNumbers(payload, true);
    const ready = prepared?.find(placeKey, isWanted, this.#options.wantsCode === true);
    if (ready !== undefined && entry !== undefined) {
      const isUsed = ready.text !== '' || entry.functionCount === 0;
      const writtenAt = Number.POSITIVE_INFINITY;
      return isUsed ? { entry, text: originalForm(ready), writtenAt, packed: ready } : { entry, text: undefined, writtenAt };
    }
    const stored = this.#options.cache?.read(key, (payload) => hasNumbers(payload));
    entry ??= stored && decodeEntry(stored.payload);
    return stored && entry && { entry, text: stored.text, writtenAt: stored.writtenAt };
  }

  /** The prepared pack whose texts have their numbers in this process. */
  get #prepared(): PreparedPack | undefined {
    const { prepared, links } = this.#options;
    return prepared !== undefined && links.isPreparedBy(prepared) ? prepared : undefined;
  }

  #write(key: ContentKey, entry: TextEntry, text: string): void {
    this.#options.cache?.write(key, encodeEntry(entry), text);
  }

  #instrumented(source: string, type: SourceType, further: FurtherSites): MadeEntry {
    // It reads the files of its parsers when a text needs them.
    this.#instrument ??= untraced(
      untraced(createRequire(this.#options.fentryFolder))('./instrument.cjs').instrument as Instrument,
    );
    const made = this.#instrument(source, type, further);
    if ('unparsed' in made) return { ...NOTHING, mentions: mentionsOf(source), unparsed: made };
    return {
      prefix: choosePrefix(source),
      sourceMappingURL: made.sourceMappingURL ?? '',
      functionCount: made.functions.length,
      firstFunction: 0,
      mayImport: made.mayImport,
      mentions: mentionsOfParsed(source, made),
      edits: serializeEdits(made.edits),
      functions: encodeFunctions(made.functions),
      assemble: made.assemble,
    };
  }
}

/** The entry of a text that was just instrumented. */
type MadeEntry = TextEntry & Pick<Instrumented, 'assemble'>;

const NOTHING: TextEntry = {
  prefix: '',
  sourceMappingURL: '',
  functionCount: 0,
  firstFunction: 0,
  mayImport: false,
  mentions: 0,
  edits: new Uint8Array(0),
  functions: new Uint8Array(0),
};

const isModule = (type: SourceType): boolean => type === 'module' || type === 'commonjs';

/** A quick, certain check that fits many small modules: every function has a body in braces or an arrow. */
const holdsNoFunction = (source: string): boolean => !includes(source, '{') && !includes(source, '=>');

/** The key of a content with a name: the same content under two names is two texts. */
const withName = (key: ContentKey, name: string): ContentKey => {
  const other = keyOfText(name, 0);
  return [(key[0] ^ other[0]) >>> 0, (key[1] ^ other[1]) >>> 0, (key[2] ^ other[2]) >>> 0, (key[3] ^ other[3]) >>> 0];
};

/** Whether the parser got less far in `one` than in `other`. */
const isBefore = (one: Unparsed, other: Unparsed): boolean =>
  one.line === other.line ? one.column < other.column : one.line < other.line;
