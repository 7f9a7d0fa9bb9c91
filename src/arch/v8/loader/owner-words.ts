import type { TextFunction } from '../../arch.js';
import { originalWord, type SourceMap } from './source-map.js';

/** How far before a function its target and its callee are looked for, in UTF-16 units. */
const REACH = 200;
/** How many declarations of a word are tried, from the nearest on. */
const TRIES = 8;

const DECLARATION = /(?<![\w$.])(?:(?:class|function\s*\*?)\s*(?<=[\s*])([\w$]+)|([\w$]+)\s*=(?![=>]))/g;
const TARGET = /(?<![\w$.])([\w$]+)(?:\.[\w$]+)*\s*[=:]\s*\(*$/;

interface Declaration {
  /** Where it stands: of a function, before it. */
  readonly scope: number;
  /** Where the word begins. */
  readonly at: number;
}

/** The author's words for what the functions of a text are called after: classes, variables, callees. */
export class OwnerWords {
  readonly #source: SourceMap;
  readonly #code: string;
  readonly #functions: readonly TextFunction[];
  readonly #around: Int32Array;
  readonly #lineStarts: number[] = [];
  #declared: Map<string, Declaration[]> | undefined;

  /** Functions come in the order of their starts. */
  constructor(source: SourceMap, functions: readonly TextFunction[]) {
    this.#source = source;
    this.#code = source.code ?? '';
    this.#functions = functions;
    this.#around = new Int32Array(functions.length);
    let at = 0;
    for (const line of source.lines ?? []) {
      this.#lineStarts.push(at);
      at += line.length + 1;
    }
    let outer = -1;
    for (const [i, { start }] of functions.entries()) {
      while (outer >= 0 && functions[outer]!.end <= start) outer = this.#around[outer]!;
      this.#around[i] = outer;
      outer = i;
    }
  }

  /** For the first part of a function's symbol: what it is assigned to, else the nearest declaration whose scope it is in. */
  owner(word: string, { start }: TextFunction): string | undefined {
    const from = Math.max(0, start - REACH);
    const target = TARGET.exec(this.#code.slice(from, start));
    if (target?.[1] === word) return this.#wordAt(from + target.index);
    const declared = this.#declarations().get(word) ?? [];
    const near = declared
      .slice(
        0,
        firstFrom(declared.length, (i) => declared[i]!.scope >= start),
      )
      .slice(-TRIES);
    const found = near.findLast(({ scope }) => this.#holds(scope, start));
    return found && this.#wordAt(found.at);
  }

  /** For the last part of an anonymous function's symbol: what it is an argument of. */
  callee(word: string, { start }: TextFunction): string | undefined {
    const from = Math.max(0, start - REACH);
    const before = this.#code.slice(from, start);
    const at = before.lastIndexOf(`${word}(`);
    return at < 0 || /[\w$.]$/.test(before.slice(0, at)) ? undefined : this.#wordAt(from + at);
  }

  /** Whether the innermost function around `scope` goes on at `start`. */
  #holds(scope: number, start: number): boolean {
    let i = firstFrom(this.#functions.length, (n) => this.#functions[n]!.start > scope) - 1;
    while (i >= 0 && this.#functions[i]!.end <= scope) i = this.#around[i]!;
    return i < 0 || this.#functions[i]!.end > start;
  }

  #declarations(): Map<string, Declaration[]> {
    if (this.#declared !== undefined) return this.#declared;
    this.#declared = new Map();
    for (const { index, 0: found, 1: own, 2: variable } of this.#code.matchAll(DECLARATION)) {
      const word = (own ?? variable) as string;
      const declaration =
        own === undefined ? { scope: index, at: index } : { scope: index - 1, at: index + found.length - own.length };
      const known = this.#declared.get(word);
      if (known === undefined) this.#declared.set(word, [declaration]);
      else known.push(declaration);
    }
    return this.#declared;
  }

  #wordAt(at: number): string | undefined {
    const line = firstFrom(this.#lineStarts.length, (n) => this.#lineStarts[n]! > at);
    return line === 0 ? undefined : originalWord(this.#source.map, line, at - this.#lineStarts[line - 1]!);
  }
}

/** The first of the indices below `length` for which `holds`, as it does for all after it; `length` when there is none. */
const firstFrom = (length: number, holds: (i: number) => boolean): number => {
  let from = 0;
  let to = length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
};
