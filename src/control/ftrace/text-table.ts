import type { Place } from '../../answers/place.js';
import type { Imported } from '../../answers/symbol-places.js';
import { compareAddresses } from '../../base/address.js';
import { isEndOf } from '../../base/is-end-of.js';
import { lastIndexUpTo } from '../../base/last-at-or-before.js';
import { SymbolTable, type TextSymbol, TRACING_MARK_WRITE } from '../../ftrace/symbols.js';
import type { AuthorsFunction, AuthorsFunctions, AuthorsPlace, LinkedText, TextFunction } from '../../ftrace/text.js';
import type { CompiledModule, LinkedFunctions, TextAnnouncement } from '../../port/port.js';
import { FunctionsByName } from './functions-by-name.js';
import { ModuleTable } from './module-table.js';

/** What addr2line calls a file that is not known. */
const UNKNOWN = '??';
/** Texts of Node and of V8: the lines of functions that are found there as callers are not known. */
const INTERNAL = /^(?:node|v8):/;

/** Functions firstFunction to end - 1 belong to `text`. */
export interface FunctionRange {
  readonly firstFunction: number;
  readonly end: number;
}

/**
 * The texts of the process, as its threads announced them. A text is decoded when it is first needed: an untraced process pays
 * only for the message. Its source map is read even later, when names are needed.
 */
export class TextTable {
  readonly #announced = new Map<number, TextAnnouncement>();
  readonly #undecoded: TextAnnouncement[] = [];
  readonly #texts = new Map<number, LinkedText>();
  readonly #authors = new Map<LinkedText, AuthorsFunctions>();
  /** Decoded texts that have no symbols yet. */
  readonly #unnamed: LinkedText[] = [];
  /** Decoded texts that are not in the index of names. */
  readonly #unindexed: LinkedText[] = [];
  readonly #byName = new FunctionsByName((n) => this.module(n));
  readonly #symbols = new SymbolTable();
  readonly #modules = new ModuleTable();
  /** Texts in the order of their addresses; undefined: some have come. */
  #textsInOrder: readonly LinkedText[] | undefined;
  /** By function number. */
  readonly #functions: TextFunction[] = [];
  readonly #textOf: LinkedText[] = [];
  /** Symbols that newSymbols() has not given yet. */
  #newSymbols: TextSymbol[] = [TRACING_MARK_WRITE];
  #inOrder: number[] | undefined;
  #count = 0;

  constructor() {
    this.#symbols.add([TRACING_MARK_WRITE]);
  }

  /** Adds a text. Returns false if another thread has already announced it. */
  link(text: TextAnnouncement): boolean {
    if (this.#announced.has(text.firstFunction)) return false;
    this.#announced.set(text.firstFunction, text);
    this.#undecoded.push(text);
    this.#count = Math.max(this.#count, text.firstFunction + text.functionCount);
    return true;
  }

  /** Decodes the texts that were linked since; returns them. */
  decode(): readonly LinkedText[] {
    const texts = this.#undecoded.splice(0).map((text) => text.read());
    for (const text of texts) this.#take(text);
    if (texts.length > 0) this.#inOrder = undefined;
    return texts;
  }

  /** Highest number + 1. */
  get count(): number {
    return this.#count;
  }

  /** The symbols of decoded texts, by their authors' names. */
  symbols(): SymbolTable {
    this.#nameTexts();
    return this.#symbols;
  }

  /** The symbols of texts that were decoded since the last call. */
  newSymbols(): readonly TextSymbol[] {
    this.#nameTexts();
    return this.#newSymbols.splice(0);
  }

  /** Decoded functions in the order of their addresses. */
  numbers(): readonly number[] {
    this.#inOrder ??= Object.keys(this.#functions)
      .map(Number)
      .sort((a, b) => compareAddresses(this.address(a), this.address(b)));
    return this.#inOrder;
  }

  /**
   * The decoded functions of a name, in the order of their addresses.
   * @param module their package; undefined: the application's, or if it has none, those of all packages
   * @param isMeant which of them count; absent: all
   */
  find(name: string, module: string | undefined, isMeant?: (n: number) => boolean): readonly number[] {
    for (const { firstFunction, functions } of this.#unindexed.splice(0)) {
      for (let n = firstFunction; n < firstFunction + functions.length; n++) this.#byName.add(this.name(n), n);
    }
    const found = this.#byName.find(name, module, isMeant);
    return found.length < 2 ? found : found.toSorted((a, b) => compareAddresses(this.address(a), this.address(b)));
  }

  function(n: number): TextFunction {
    return this.#functions[n]!;
  }

  /** The symbol that the function has, by its author's name. */
  name(n: number): string {
    return this.#author(n)?.name ?? this.#functions[n]!.name;
  }

  /** The npm package that the author's file belongs to, '' for the application's own. */
  module(n: number): string {
    return this.#author(n)?.module ?? this.#textOf[n]!.module;
  }

  /** How the module came whose code the symbol at an address is; undefined: it is a function. */
  imported(address: number): Imported | undefined {
    const times = this.#modules.times(address);
    if (times === undefined) return undefined;
    const importer = this.#modules.importer(address);
    const by = importer === undefined ? undefined : this.placeOf({ address: importer })?.file;
    return { ...times, ...(by !== undefined && { by }) };
  }

  /** A module is handed on to be compiled. */
  compiles(firstFunction: number, compiled: CompiledModule): void {
    this.#modules.compiles(firstFunction, compiled);
  }

  /** A module was compiled that does not run at once: in so many nanoseconds. */
  compiled(firstFunction: number, time: number): void {
    this.#modules.compiled(firstFunction, time);
  }

  /** The addresses of modules of which that was said since the last call. */
  newCompiled(): readonly number[] {
    return this.#modules.newCompiled();
  }

  /** The text that has the function. */
  textOf(n: number): LinkedText {
    return this.#textOf[n]!;
  }

  address(n: number): number {
    return this.#textOf[n]!.base + this.#functions[n]!.start;
  }

  reason(n: number): string | undefined {
    return this.#functions[n]!.reason;
  }

  /** The file or URL of the function's text, as the program knows it. */
  file(n: number): string {
    return this.#textOf[n]!.file;
  }

  /** The file in which the function's author has it. */
  authorsFile(n: number): string {
    return this.#author(n)?.file ?? this.#sourceOf(n)?.file ?? this.#textOf[n]!.file;
  }

  /** The line on which the function begins, in its author's source. */
  line(n: number): number {
    return (this.#author(n) ?? this.#sourceOf(n) ?? this.#functions[n]!).line;
  }

  /** Whether the function's author has it in this file; its path, or the end of it. */
  isIn(n: number, path: string): boolean {
    return isEndOf(path, this.authorsFile(n));
  }

  /**
   * Where the function is defined, in its author's source: `file:line:column`; `??:0:0` if that is not known, as addr2line has
   * it.
   */
  location(n: number): string {
    const { file } = this.#textOf[n]!;
    const { line, column } = this.#author(n) ?? this.#functions[n]!;
    return `${(this.#author(n)?.file ?? file) || UNKNOWN}:${line}:${column}`;
  }

  /** Where the function is defined, in its author's source as far as that is known. */
  place(n: number): Place {
    const author = this.#author(n);
    if (author !== undefined) return { file: author.file, line: author.line, column: author.column };
    const { file, debug } = this.#textOf[n]!;
    const { line, column } = this.#functions[n]!;
    if (INTERNAL.test(file)) return { file, line: 0, column: 0 };
    if (debug === undefined) return { file, line, column };
    return { file, line: 0, ...this.#sourceOf(n), column: 0 };
  }

  /** Where a symbol is defined, or a part of one; undefined for fentry's own. */
  placeOf({ address, whole = address }: Pick<TextSymbol, 'address' | 'whole'>): Place | undefined {
    this.#textsInOrder ??= [...this.#texts.values()].sort((a, b) => compareAddresses(a.base, b.base));
    const text = this.#textsInOrder[lastIndexUpTo(this.#textsInOrder, ({ base }) => compareAddresses(base, whole) <= 0)];
    if (text === undefined || whole - text.base >= text.length) return undefined;
    const { base, functions, firstFunction } = text;
    const index = lastIndexUpTo(functions, ({ start }) => base + start <= whole);
    const one = functions[index];
    if (one !== undefined && base + one.start === whole) {
      // Of a callback without sites only the name is known.
      return text.file === '' && one.line === 0 ? undefined : this.place(firstFunction + index);
    }
    return { file: this.#fileOf(text), line: 1, column: 1 };
  }

  /** Whether a text, or its author's source, is the file with this path, or one whose path ends with it. */
  hasFile(path: string): boolean {
    const end = path.startsWith('/') ? path : `/${path}`;
    for (const { file } of this.#texts.values()) if (file === path || file.endsWith(end)) return true;
    return false;
  }

  /** The decoded texts that are of a file, or compiled from it; its path, or the end of it. */
  textsOf(path: string): readonly LinkedText[] {
    const texts = this.all;
    const found = texts.filter(
      (text) =>
        isEndOf(path, text.file) ||
        (text.authors !== undefined &&
          this.#authorsOf(text, text.authors).some((one) => one !== undefined && isEndOf(path, one.file))),
    );
    // Debug information is read last: it takes longer than all else.
    return found.length > 0 ? found : texts.filter(({ debug }) => debug?.fileNamed(path) !== undefined);
  }

  /** The decoded texts. */
  get all(): readonly LinkedText[] {
    return [...this.#texts.values()];
  }

  /** The decoded text that has an address. */
  textAt(address: number): LinkedText | undefined {
    return [...this.#texts.values()].find(({ base, length }) => address >= base && address < base + length);
  }

  /** What a thread's tracers must know about the text that begins with `firstFunction`. */
  linkedFunctions(firstFunction: number): LinkedFunctions {
    const { base, functions } = this.#texts.get(firstFunction)!;
    return {
      firstFunction,
      addresses: Float64Array.from(functions, ({ start }) => base + start),
      kinds: Uint8Array.from(functions, ({ kind }) => kind),
    };
  }

  #take(text: LinkedText): void {
    const { firstFunction, functions } = text;
    this.#texts.set(firstFunction, text);
    this.#modules.add(text);
    this.#textsInOrder = undefined;
    functions.forEach((one, index) => {
      this.#functions[firstFunction + index] = one;
      this.#textOf[firstFunction + index] = text;
    });
    this.#unnamed.push(text);
    this.#unindexed.push(text);
  }

  /** Where debug information says that the function begins. */
  #sourceOf(n: number): AuthorsPlace | undefined {
    return this.#textOf[n]!.debug?.placeOf(this.#functions[n]!);
  }

  /** The one file that a text was compiled from; of several, the text's own. */
  #fileOf(text: LinkedText): string {
    const authors = text.authors === undefined ? [] : this.#authorsOf(text, text.authors);
    const files = new Set(authors.flatMap((one) => (one === undefined ? [] : [one.file])));
    const [file = text.file, other] = files;
    return other === undefined ? file : text.file;
  }

  #author(n: number): AuthorsFunction | undefined {
    const text = this.#textOf[n]!;
    return text.authors === undefined ? undefined : this.#authorsOf(text, text.authors)[n - text.firstFunction];
  }

  #authorsOf(text: LinkedText, read: () => AuthorsFunctions): AuthorsFunctions {
    let authors = this.#authors.get(text);
    if (authors === undefined) {
      authors = read();
      this.#authors.set(text, authors);
    }
    return authors;
  }

  #nameTexts(): void {
    for (const text of this.#unnamed.splice(0)) this.#nameText(text);
  }

  #nameText(text: LinkedText): void {
    const { firstFunction, functions, module, base, length, body } = text;
    const { debug } = text;
    // One for all functions of the text: there may be many.
    const registers = debug && ((address: number) => debug.registersOf(functions.find(({ start }) => base + start === address)!));
    const symbols: TextSymbol[] = functions.map(({ start, end, params }, index) => {
      const n = firstFunction + index;
      return {
        name: this.name(n),
        module: this.module(n),
        address: base + start,
        size: end - start,
        params,
        registers,
        type: 't',
      };
    });
    if (body !== undefined) {
      const { name, start } = body;
      symbols.push({ name, module, address: base + start, size: length - start, params: [], type: 't' });
    }
    this.#symbols.add(symbols);
    for (const symbol of symbols) this.#newSymbols.push(symbol);
  }
}
