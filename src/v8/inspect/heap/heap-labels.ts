import type { HeapName } from '../../../answers/heap/heap-answer.js';
import { type HeapGraph, NODE } from '../heap-graph.js';
import type { HeapContexts } from './heap-contexts.js';

/** What objects are called by, before their place is that of the author. */
export interface HeapLabel {
  readonly kind: HeapName['kind'];
  readonly name: string;
  /** The text as V8 names it; '' if there is none. Line and column are from 0. */
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** The longest name. */
const LONGEST = 120;
/** What V8 calls the global object. */
const GLOBAL = /^global(?: |$)/;

/** Numbers of equal labels, in all heaps that are compared. */
export class LabelNumbers {
  readonly labels: HeapLabel[] = [];
  readonly #byKey = new Map<string, number>();

  numberOf(label: HeapLabel): number {
    const key = [label.kind, label.line, label.column, label.url, label.name].join('\n');
    let number = this.#byKey.get(key);
    if (number === undefined) {
      number = this.labels.push(label) - 1;
      this.#byKey.set(key, number);
    }
    return number;
  }
}

/** What the objects of one heap are called by. */
export class HeapLabels {
  readonly #graph: HeapGraph;
  readonly #contexts: HeapContexts;
  readonly #numbers: LabelNumbers;
  /** By type and index of the name, for what has no place. */
  readonly #plain = new Map<number, number>();
  /** By the place. */
  readonly #placed = new Map<string, number>();
  /** Whether a name, by its index, is V8's own. */
  readonly #isOwnOfV8 = new Map<number, boolean>();

  constructor(graph: HeapGraph, contexts: HeapContexts, numbers: LabelNumbers) {
    this.#graph = graph;
    this.#contexts = contexts;
    this.#numbers = numbers;
  }

  /** The number of a node's label; -1 if it is a part of what holds it: the program cannot see it. */
  of(node: number): number {
    const graph = this.#graph;
    const type = graph.typeOf(node);
    if (type === NODE.STRING || type === NODE.CONCATENATED || type === NODE.SLICED) return this.#value(type, 'string');
    if (type === NODE.REGEXP) return this.#value(type, 'RegExp');
    if (type !== NODE.OBJECT && type !== NODE.CLOSURE) return -1;
    const name = graph.nameIndexOf(node);
    const location = graph.locationOf(node);
    if (location === undefined) return type === NODE.OBJECT && this.#isV8s(name) ? -1 : this.#named(type, name);
    const call = type === NODE.OBJECT ? this.#calledBy(node) : -1;
    const key = `${call < 0 ? type : 'call'} ${name} ${location.script} ${location.line} ${location.column}`;
    let number = this.#placed.get(key);
    if (number === undefined) {
      number = this.#numbers.numberOf({
        kind: call >= 0 ? 'call' : type === NODE.CLOSURE ? 'function' : 'object',
        name: cut(call < 0 ? graph.string(name) : graph.nameOf(call)),
        url: this.#contexts.scriptUrl(location.script),
        line: location.line,
        column: location.column,
      });
      this.#placed.set(key, number);
    }
    return number;
  }

  #value(type: number, name: string): number {
    const known = this.#plain.get(-type);
    if (known !== undefined) return known;
    const number = this.#numbers.numberOf({ kind: 'value', name, ...NOWHERE });
    this.#plain.set(-type, number);
    return number;
  }

  #named(type: number, name: number): number {
    const key = name * 16 + type;
    let number = this.#plain.get(key);
    if (number === undefined) {
      const text = this.#graph.string(name);
      number = this.#numbers.numberOf({
        kind: type === NODE.CLOSURE ? 'function' : 'object',
        name: GLOBAL.test(text) ? 'globalThis' : cut(text),
        ...NOWHERE,
      });
      this.#plain.set(key, number);
    }
    return number;
  }

  #isV8s(name: number): boolean {
    let known = this.#isOwnOfV8.get(name);
    if (known === undefined) {
      known = /^system \/|^$/.test(this.#graph.string(name).slice(0, 10));
      this.#isOwnOfV8.set(name, known);
    }
    return known;
  }

  /** The function of a suspended call; -1 for any other object. */
  #calledBy(node: number): number {
    return this.#graph.internal(node, 'parameters_and_registers') < 0 ? -1 : this.#graph.internal(node, 'function');
  }
}

const NOWHERE = { url: '', line: -1, column: -1 } as const;

const cut = (name: string): string => (name.length > LONGEST ? `${name.slice(0, LONGEST)}...` : name);
