import type { SourceType } from '../instrument/index.js';
import type { NoSiteReason } from '../js-text.js';
import type { Realm } from '../realm/realm.js';
import { installContextRealm } from '../realm/vm-context-realm.js';
import type { Placement } from '../text/placement.js';
import { correctExcerpt } from './excerpt.js';
import { fileOfName } from './file-of-name.js';
import type { Linker, TextWithSites } from './linker.js';

/** A text that the program is about to compile under a name of its own choice. */
export interface ProgramText {
  readonly source: unknown;
  readonly name: unknown;
  readonly type: SourceType;
  readonly placement: Placement;
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** The placement that the options `lineOffset` and `columnOffset` give a text; undefined if Node refuses them. */
export const placementOf = (lines: unknown = 0, columns: unknown = 0): Placement | undefined =>
  isNumber(lines) && isNumber(columns) && Number.isInteger(lines) && lines >= 0 ? { lines, columns, units: 0 } : undefined;

/** What a thread does with the texts that its program compiles itself. Never throws. */
export class SharedTexts {
  readonly #linker: Linker;
  readonly #realm: Realm;

  constructor(linker: Linker, realm: Realm) {
    this.#linker = linker;
    this.#realm = realm;
  }

  /** The text with sites, if the name is a file's; undefined: compile the program's text. */
  of({ source, name: given, type, placement }: ProgramText): TextWithSites | undefined {
    try {
      const name = typeof given === 'string' ? given : '';
      const path = name === '' ? undefined : fileOfName(name);
      if (path === undefined) this.#linker.notice(source);
      if (path === undefined || typeof source !== 'string' || !this.#linker.admits(path, source)) return undefined;
      const made = this.#linker.linkShared(source, path, { type, name, placement });
      if (made !== undefined) this.#realm.texts.addSource(name, source);
      return made;
    } catch {
      return undefined;
    }
  }

  /** Such a text runs unchanged: it is listed with the reason. */
  refuse({ source, name }: Pick<ProgramText, 'source' | 'name'>, reason: NoSiteReason): void {
    const path = typeof name === 'string' ? fileOfName(name) : undefined;
    this.#linker.notice(source);
    if (path !== undefined && this.#linker.admits(path)) this.#linker.refuse(path, String(source).length, reason);
  }

  /** Call this before the text runs in this realm. */
  runsHere({ cells: { prefix, first, count, hasStatements } }: TextWithSites): void {
    this.#realm.cells.define(prefix, first, count, hasStatements);
  }

  /** Call this before the text runs in a context. */
  runsIn(context: object, { cells }: TextWithSites): void {
    this.#realm.cells.defineIn(context, cells, () => installContextRealm(context, this.#realm));
  }

  /** Corrects what Node has put above the stack of an error that left the text: the line, with its sites. */
  correct(error: unknown, name: string): void {
    const text = this.#realm.texts.get(name);
    if (text !== undefined) correctExcerpt(error, name, text);
  }
}
