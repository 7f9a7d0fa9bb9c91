import type { LinkedText, TextFunction } from '../../../src/ftrace/text.js';
import type { TextAnnouncement } from '../../../src/port/port.js';

/** A program: its functions, and which functions each of them calls, one after the other. */
export type Program = Readonly<Record<string, readonly string[]>>;

/** Bytes of a function, and of the address space of a text. */
const FUNCTION_SIZE = 16;
const TEXT_SIZE = 0x10000;

/** Where texts begin, one after the other: as an executable, a library and a module of the kernel do. */
export const PLACES = [0x555555554000, 0x7f1234567000, -0x60000000] as const;

/** The text of a simulated machine: what its functions call, by number. */
export class SimulatedText {
  readonly #numbers = new Map<string, number>();
  readonly #calls: (readonly string[])[] = [];
  readonly #addresses: number[] = [];
  #texts = 0;

  /** Adds a text with the functions of a program. */
  link(program: Program, file: string): TextAnnouncement {
    const firstFunction = this.#calls.length;
    const base = PLACES[this.#texts % PLACES.length]! + Math.floor(this.#texts / PLACES.length) * TEXT_SIZE;
    this.#texts++;
    const functions = Object.entries(program).map(([name, calls], index): TextFunction => {
      this.#numbers.set(name, firstFunction + index);
      this.#calls.push(calls);
      const start = index * FUNCTION_SIZE;
      this.#addresses.push(base + start);
      return { start, end: start + FUNCTION_SIZE, line: index + 1, column: 1, name, kind: 0, params: [] };
    });
    const length = functions.length * FUNCTION_SIZE;
    const text: LinkedText = { file, module: '', length, base, firstFunction, functions };
    return { firstFunction, functionCount: functions.length, read: () => text };
  }

  /** The number of a function. */
  number(name: string): number {
    const n = this.#numbers.get(name);
    if (n === undefined) throw new Error(`the text has no function ${name}`);
    return n;
  }

  /** What a function calls, and where that returns to. */
  calls(n: number): readonly (readonly [callee: number, returnAddress: number])[] {
    return (this.#calls[n] ?? []).map((name, i) => [this.number(name), this.#addresses[n]! + i + 1]);
  }
}
