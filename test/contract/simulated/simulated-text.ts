import { type LinkedText, TEXT_LOW, type TextFunction } from '../../../src/arch/arch.js';
import type { TextAnnouncement } from '../../../src/arch/port.js';

/** A program: its functions, and which functions each of them calls, one after the other. */
export type Program = Readonly<Record<string, readonly string[]>>;

/** Bytes of a function, and of the address space of a text. */
const FUNCTION_SIZE = 16;
const TEXT_SIZE = 0x10000;

/** The text of a simulated machine: what its functions call, by number. */
export class SimulatedText {
  readonly #numbers = new Map<string, number>();
  readonly #calls: (readonly string[])[] = [];
  #texts = 0;

  /** Adds a text with the functions of a program. */
  link(program: Program, file: string): TextAnnouncement {
    const firstFunction = this.#calls.length;
    const base = TEXT_LOW + this.#texts++ * TEXT_SIZE;
    const functions = Object.entries(program).map(([name, calls], index): TextFunction => {
      this.#numbers.set(name, firstFunction + index);
      this.#calls.push(calls);
      const start = index * FUNCTION_SIZE;
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

  /** What a function calls. */
  calls(n: number): readonly number[] {
    return (this.#calls[n] ?? []).map((name) => this.number(name));
  }
}
