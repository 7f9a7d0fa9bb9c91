import { filePath } from '../../base/file-path.js';
import { indexOf, lastIndexOf, SafeMap, slice, startsWith } from './primordials.js';

/** Maps positions in a text with sites to the original text. Lines and columns are 1-based. */
export interface TextPositions {
  /** A place's address (text-region.ts) is this and its original offset. */
  readonly base: number;
  /** The address of its first unit: not `base` if V8 puts something in front of it. */
  readonly start: number;
  /** Length of the original text in UTF-16 units. */
  readonly length: number;
  originalColumn(line: number, column: number): number;
  /**
   * Where V8 would have a frame that has its place inside of what was inserted, if that is not where it was inserted: a promise
   * is resolved, and a value awaited, behind a site. Absent in a text without sites. `offset` is like those of `originalOffset`.
   */
  framePlace?(line: number, column: number): FramePlace | undefined;
  /** Offsets are UTF-16 units from the start of what V8 compiled, as `CallSite.getPosition` gives them. */
  originalOffset(offset: number): number;
  /** How many units were inserted into each line that got any, by its 0-based number. */
  insertedIn(): ReadonlyMap<number, number>;
  /** Where V8's text has a unit of the original: before what was inserted in front of it. The reverse of `originalOffset`. */
  compiledOffset(offset: number): number;
  /** Whether this unit of V8's text was inserted, and is not the first one inserted at its place. */
  isInserted(offset: number): boolean;
  /** From now on V8's text has so many units more before this one. Absent in a text without sites. */
  putBehind?(units: number): void;
}

/** A place in the original text; `line` and `column` count from 1. */
export interface FramePlace {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** A text and its name. */
export interface NamedText {
  readonly name: string;
  readonly positions: TextPositions;
}

/** The part of V8's CallSite that names its text. */
export interface NamedSite {
  /** A path, or a URL for ES modules; none for built-ins and functions that were made from text. */
  getFileName(): string | undefined | null;
  /** The value of `//# sourceURL=`, if there is no name. */
  getScriptNameOrSourceURL(): string | undefined | null;
}

/** The texts with sites that this thread has loaded, by the name that V8 knows them under (a path, or a URL for ES modules). */
export class Texts {
  readonly #positions = new SafeMap<string, TextPositions>();
  /** Texts without sites whose places are known. */
  readonly #plain = new SafeMap<string, TextPositions>();
  /** By what their `//# sourceURL=` says: functions made from text. */
  readonly #generated = new SafeMap<string, TextPositions>();
  /** Texts that were loaded more than once, by their names: their base addresses. */
  readonly #repeated = new SafeMap<string, number>();
  /** Looks for texts that are not there yet. */
  readonly #waiting = new SafeMap<() => void, () => void>();
  /** The texts that the program compiled itself, by name; undefined while they are not needed. */
  #sources: Map<string, string> | undefined;
  #every: Map<string, readonly TextPositions[]> | undefined;
  readonly #fentryFolder: string;
  readonly #ownPath: string;
  readonly #changed: (() => void)[] = [];

  /** `fentryFolder`: the URL of the folder that fentry's own code was loaded from, whose frames the program is not shown. */
  constructor(fentryFolder: string) {
    this.#fentryFolder = fentryFolder;
    this.#ownPath = filePath(fentryFolder);
  }

  get size(): number {
    return this.#positions.size + this.#generated.size;
  }

  /** From now on all texts of a name are kept: V8's coverage has each of them, under the same name. */
  keepEvery(): void {
    this.#every ??= new SafeMap();
  }

  /** The texts with this name that were loaded since keepEvery(), the newest first; none if that was not called. */
  every(name: string): readonly TextPositions[] {
    return this.#every?.get(name) ?? [];
  }

  /** Calls `forget` when the place of a frame may have another address than before. */
  whenChanged(forget: () => void): void {
    this.#changed[this.#changed.length] = forget;
  }

  #change(): void {
    for (let i = 0; i < this.#changed.length; i++) this.#changed[i]!();
  }

  /** The names of the texts. */
  names(): readonly string[] {
    const names: string[] = [];
    this.#positions.forEach((_positions, name) => {
      names[names.length] = name;
    });
    return names;
  }

  add(file: string, positions: TextPositions): void {
    if (this.#positions.get(file)?.base === positions.base) this.#repeated.set(file, positions.base);
    this.#positions.set(file, positions);
    this.#change();
    if (this.#every !== undefined) this.#every.set(file, [positions, ...this.every(file)]);
    if (this.#waiting.size > 0) this.#loaded();
  }

  /** Whether the text with this address was loaded more than once: its variables are there more than once. */
  isRepeated(address: number): boolean {
    const text = this.atAddress(address >>> 0);
    return text !== undefined && this.#repeated.get(text.name) === text.positions.base;
  }

  /**
   * Calls `begin` when the text with this address is there, at once or before it is compiled. Returns what ends that, or what it
   * began.
   */
  whenLoaded(address: number, begin: () => () => void): () => void {
    if (this.atAddress(address >>> 0) !== undefined) return begin();
    let end = (): void => {};
    const waiting = (): void => {
      if (this.atAddress(address >>> 0) === undefined) return;
      this.#waiting.delete(waiting);
      end = begin();
    };
    this.#waiting.set(waiting, waiting);
    return () => {
      this.#waiting.delete(waiting);
      end();
    };
  }

  #loaded(): void {
    this.#waiting.forEach((look) => {
      look();
    });
  }

  /** The body of a function that was made from text has this `//# sourceURL=`. */
  addGenerated(url: string, positions: TextPositions): void {
    this.#generated.set(url, positions);
    this.#change();
  }

  /** From now on the texts that the program compiles itself are kept, because no file has them. */
  keepSources(): void {
    this.#sources ??= new SafeMap<string, string>();
  }

  /** The program is about to compile this text, or a new one of the name. */
  addSource(name: string, source: string): void {
    this.#sources?.set(name, source);
  }

  /** What the program compiled itself under this name, if it is kept. */
  source(name: string): string | undefined {
    return this.#sources?.get(name);
  }

  /** A text without sites: its places have addresses, and are already the original ones. */
  addPlain(file: string, base: number): void {
    const same = (offset: number): number => offset;
    const positions = {
      base,
      start: base,
      length: 0,
      originalColumn: (_line: number, column: number) => column,
      originalOffset: same,
    };
    const nothing = { insertedIn: () => new SafeMap(), compiledOffset: same, isInserted: () => false };
    this.#plain.set(file, { ...positions, ...nothing });
    this.#change();
  }

  forgetPlain(): void {
    this.#plain.clear();
    this.#change();
  }

  get(file: string): TextPositions | undefined {
    return this.#positions.get(file) ?? this.#plain.get(file);
  }

  /** The text with sites that has this address (its low word). */
  atAddress(address: number): NamedText | undefined {
    for (const texts of [this.#positions, this.#generated]) {
      let found: NamedText | undefined;
      texts.forEach((positions, name) => {
        const offset = address - positions.start;
        if (offset >= 0 && offset < positions.length) found = { name, positions };
      });
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The text that was added by its `//# sourceURL=`. */
  generated(url: string): TextPositions | undefined {
    return this.#generated.get(url);
  }

  /** The address of a frame's place in its text (the low word); undefined if the text is not known. */
  lowAddress(site: NamedSite & { getPosition(): number }): number | undefined {
    const text = this.at(site);
    return text && text.base + text.originalOffset(site.getPosition());
  }

  /** The text of a frame. */
  at(site: NamedSite): TextPositions | undefined {
    const file = site.getFileName();
    if (typeof file === 'string') return this.get(file);
    if (this.#generated.size === 0) return undefined;
    const url = site.getScriptNameOrSourceURL();
    return typeof url === 'string' ? this.#generated.get(url) : undefined;
  }

  /** `file` is a path or a URL: fentry has CommonJS and ES modules. */
  isOwn(file: string): boolean {
    return startsWith(file, this.#ownPath) || startsWith(file, this.#fentryFolder);
  }

  /** Maps each `file:line:column` in parentheses in a line that V8 printed, as in `eval at f (a.js:1:2), <anonymous>`. */
  mapLocations(printed: string): string {
    let out = '';
    let from = 0;
    for (;;) {
      const open = indexOf(printed, '(', from);
      if (open < 0) return out + slice(printed, from);
      const close = indexOf(printed, ')', open);
      const inner = indexOf(printed, '(', open + 1);
      const end = close < 0 || (inner >= 0 && inner < close) ? open + 1 : close;
      out += slice(printed, from, open + 1);
      if (end === close) out += this.#mapLocation(slice(printed, open + 1, close));
      from = end;
    }
  }

  #mapLocation(location: string): string {
    const columnAt = lastIndexOf(location, ':');
    const lineAt = columnAt < 0 ? -1 : lastIndexOf(location, ':', columnAt - 1);
    if (lineAt < 0) return location;
    const file = slice(location, 0, lineAt);
    if (this.isOwn(file)) return '<anonymous>';
    const text = this.get(file);
    const line = +slice(location, lineAt + 1, columnAt);
    const column = +slice(location, columnAt + 1);
    if (text === undefined || !(line > 0) || !(column > 0)) return location;
    return `${slice(location, 0, lineAt)}:${line}:${text.originalColumn(line, column)}`;
  }
}
