import { SafeMap } from '../../base/safe-map.js';
import type { JsFunction } from '../js-text.js';
import { originalWord, type SourceMap } from './source-map.js';

/** How far before a function to look for its target and its callee, in UTF-16 units. */
const REACH = 200;

const DECLARATION = /(?<![\w$.])(?:(?:class|function\s*\*?)\s*(?<=[\s*])([\w$]+)|([\w$]+)\s*=(?![=>]))/g;
const TARGET = /(?<![\w$.])([\w$]+)(?:\.[\w$]+)*\s*[=:]\s*\(*$/;

/** A function up to its body: its parameters, or the part before the brace of a default value. */
const HEAD = /^[^{]*?(?:=>|\{)|^[^{]*/;

/** The original words from which the functions of a text get their names: classes, variables, callees. */
export class OwnerWords {
  readonly #source: SourceMap;
  readonly #code: string;
  readonly #functions: readonly JsFunction[];
  readonly #around: Int32Array;
  readonly #lineStarts: number[] = [];
  /** By word and innermost function around: where the word is declared or assigned. */
  #declared: Map<string, Map<number, number[]>> | undefined;

  /** Functions come in the order of their starts. */
  constructor(source: SourceMap, functions: readonly JsFunction[]) {
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

  /**
   * For the first part of a function's symbol: what it is assigned to, else what the nearest scope around it has by that word.
   * Undefined if that is not certain: a parameter, or blocks of one function that use a word for several things.
   */
  owner(word: string, { start }: JsFunction): string | undefined {
    const from = Math.max(0, start - REACH);
    const target = TARGET.exec(this.#code.slice(from, start));
    if (target?.[1] === word) return this.#wordAt(from + target.index);
    const scopes = this.#declarations().get(word);
    if (scopes === undefined) return undefined;
    for (let i = this.#innermost(start - 1); ; i = this.#around[i]!) {
      const found = scopes.get(i);
      if (found !== undefined) return this.#sameWord(found);
      if (i < 0 || this.#hasParameter(i, word)) return undefined;
    }
  }

  /** For the last part of an anonymous function's symbol: what it is an argument of. */
  callee(word: string, { start }: JsFunction): string | undefined {
    const from = Math.max(0, start - REACH);
    const before = this.#code.slice(from, start);
    const at = before.lastIndexOf(`${word}(`);
    return at < 0 || /[\w$.]$/.test(before.slice(0, at)) ? undefined : this.#wordAt(from + at);
  }

  /** Index of the innermost function around a place; -1 at the top level. */
  #innermost(at: number): number {
    let i = firstFrom(this.#functions.length, (n) => this.#functions[n]!.start > at) - 1;
    while (i >= 0 && this.#functions[i]!.end <= at) i = this.#around[i]!;
    return i;
  }

  #hasParameter(i: number, word: string): boolean {
    const { start, end } = this.#functions[i]!;
    const [head] = HEAD.exec(this.#code.slice(start, Math.min(end, start + REACH))) ?? [''];
    return head.split(/[^\w$]+/).includes(word);
  }

  #declarations(): Map<string, Map<number, number[]>> {
    if (this.#declared !== undefined) return this.#declared;
    this.#declared = new SafeMap();
    for (const { index, 0: found, 1: own, 2: variable } of this.#code.matchAll(DECLARATION)) {
      const word = (own ?? variable) as string;
      const scope = this.#innermost(own === undefined ? index : index - 1);
      const at = own === undefined ? index : index + found.length - own.length;
      const scopes = this.#declared.get(word) ?? new SafeMap<number, number[]>();
      this.#declared.set(word, scopes);
      const known = scopes.get(scope);
      if (known === undefined) scopes.set(scope, [at]);
      else known.push(at);
    }
    return this.#declared;
  }

  #sameWord([first, ...others]: readonly number[]): string | undefined {
    const word = this.#wordAt(first!);
    return others.every((at) => this.#wordAt(at) === word) ? word : undefined;
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
