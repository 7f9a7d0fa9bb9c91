import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import { NumberIsInteger } from '../../base/primordials.js';
import { statSync } from '../../base/untraced-fs.js';
import type { SourceType } from '../instrument/index.js';
import type { NoSiteReason } from '../js-text.js';
import { orWithOwnBuiltIns } from '../realm/own-built-ins.js';
import type { Realm } from '../realm/realm.js';
import type { TextPositions } from '../realm/texts.js';
import { installContextRealm } from '../realm/vm-context-realm.js';
import type { Placement } from '../text/placement.js';
import { restore } from '../text/restore.js';
import type { Linker, TextWithSites } from './linker.js';

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** A program may put a query after the path, and write blanks as a URL does. */
const candidates = (path: string): readonly string[] => {
  const plain = path.includes('?') ? [path, path.slice(0, path.indexOf('?'))] : [path];
  return path.includes('%') ? [...plain, ...plain.map(decodeURIComponent)] : plain;
};

/**
 * The file that a program gives as the name of a text that it compiles itself: an absolute path or a `file:` URL of a file that
 * exists. Undefined for any other name.
 */
const fileOfName = (name: string): string | undefined => {
  try {
    return orWithOwnBuiltIns(() => {
      const path = name.startsWith('file:') ? fileURLToPath(name) : name;
      return isAbsolute(path) ? candidates(path).find(isFile) : undefined;
    });
  } catch {
    return undefined;
  }
};

const MARKS = /^( *)(\^+)$/;

/**
 * Node puts the line that threw above the stack of an error that has left a script: `name:line`, V8's line, and marks below the
 * place. This replaces it by the original line.
 */
const correctExcerpt = (error: unknown, name: string, text: Pick<TextPositions, 'originalColumn'>): void => {
  if (!types.isNativeError(error)) return;
  try {
    const { stack } = error;
    if (typeof stack !== 'string' || !stack.startsWith(`${name}:`)) return;
    const [place = '', line = '', marks = '', ...rest] = stack.split('\n');
    const [, before, marked] = MARKS.exec(marks) ?? [];
    const lineNumber = Number(place.slice(name.length + 1));
    const original = restore(line);
    if (before === undefined || marked === undefined || !(lineNumber > 0) || original === line) return;
    const start = text.originalColumn(lineNumber, before.length + 1);
    const end = Math.max(start + 1, text.originalColumn(lineNumber, before.length + marked.length + 1));
    error.stack = [place, original, ' '.repeat(start - 1) + '^'.repeat(end - start), ...rest].join('\n');
  } catch {
    // V8's line is better than none.
  }
};

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
  isNumber(lines) && isNumber(columns) && NumberIsInteger(lines) && lines >= 0 ? { lines, columns, units: 0 } : undefined;

/** What a thread does with the texts that its program compiles itself. Never throws. */
export class SharedTexts {
  readonly #linker: Linker;
  readonly #realm: Realm;

  constructor(linker: Linker, realm: Realm) {
    this.#linker = linker;
    this.#realm = realm;
  }

  /** The text with sites, if the name is a file's; undefined: compile the program's text. */
  of(text: ProgramText): TextWithSites | undefined {
    try {
      return orWithOwnBuiltIns(() => this.#linked(text));
    } catch {
      return undefined;
    }
  }

  #linked({ source, name: given, type, placement }: ProgramText): TextWithSites | undefined {
    const name = typeof given === 'string' ? given : '';
    const path = name === '' ? undefined : fileOfName(name);
    if (path === undefined) this.#linker.notice(source);
    if (path === undefined || typeof source !== 'string' || !this.#linker.admits(path, source)) return undefined;
    const made = this.#linker.linkShared(source, path, { type, name, placement });
    if (made !== undefined) this.#realm.texts.addSource(name, source);
    return made;
  }

  /** Such a text runs unchanged: it is listed with the reason. */
  refuse({ source, name }: Pick<ProgramText, 'source' | 'name'>, reason: NoSiteReason): void {
    try {
      orWithOwnBuiltIns(() => {
        const path = typeof name === 'string' ? fileOfName(name) : undefined;
        this.#linker.notice(source);
        if (path === undefined || !this.#linker.admits(path)) return;
        this.#linker.refuse(path, typeof source === 'string' ? source.length : 0, reason);
      });
    } catch {
      // It is not listed.
    }
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
