import type { ElfFile } from '../../elf/elf-file.js';
import { slotNames } from '../../elf/relocations.js';
import type { ElfSymbol } from '../../elf/symbols.js';
import { stubNames } from './stubs.js';

/** The profiler's functions that compilers call: -pg, -pg -mfentry, and clang's name of the first. */
const FENTRY = '__fentry__';
const MCOUNT = ['mcount', '_mcount', '__mcount', '\u0001_mcount'];
const isProfiler = (name: string): boolean => name === FENTRY || MCOUNT.includes(name);

/** What a call of the profiler's is. */
export interface McountCall {
  readonly isFentry: boolean;
  /** The offset of the call's first byte in the code in which it was looked for. */
  readonly at: number;
  readonly length: number;
}

/** The distance of 32 bits in an instruction. */
const distanceAt = (code: Buffer, at: number): number => code.readInt32LE(at);

/** Finds the calls of an object that go to the profiler. */
export class McountCalls {
  /** The addresses at which the functions can be called, and the words with their addresses; true: __fentry__. */
  readonly #targets = new Map<number, boolean>();
  readonly #slots = new Map<number, boolean>();

  /** @param symbols the object's functions: a program that is linked statically has the profiler among them */
  constructor(elf: ElfFile, symbols: Iterable<ElfSymbol>) {
    const slots = slotNames(elf);
    for (const [slot, name] of slots) if (isProfiler(name)) this.#slots.set(slot, name === FENTRY);
    for (const [stub, name] of stubNames(elf, slots)) if (isProfiler(name)) this.#targets.set(stub, name === FENTRY);
    for (const { name, address } of symbols) {
      if (isProfiler(name)) this.#targets.set(address, name === FENTRY);
    }
  }

  /** Whether the object calls the profiler at all. */
  get any(): boolean {
    return this.#targets.size > 0 || this.#slots.size > 0;
  }

  /** The call at an offset of code that lies at an address. */
  callAt(code: Buffer, at: number, address: number): McountCall | undefined {
    // The linker puts a prefix before a call that it made shorter.
    const prefix = code[at] === 0x67 ? 1 : 0;
    if (code[at + prefix] === 0xe8 && at + prefix + 5 <= code.length) {
      const length = prefix + 5;
      const isFentry = this.#targets.get(address + at + length + distanceAt(code, at + prefix + 1));
      return isFentry === undefined ? undefined : { isFentry, at, length };
    }
    if (code[at] !== 0xff || code[at + 1] !== 0x15 || at + 6 > code.length) return undefined;
    const isFentry = this.#slots.get(address + at + 6 + distanceAt(code, at + 2));
    return isFentry === undefined ? undefined : { isFentry, at, length: 6 };
  }

  /** The first call in code that lies at an address. */
  first(code: Buffer, address: number): McountCall | undefined {
    if (!this.any) return undefined;
    for (let at = 0; at < code.length; at++) {
      const found = this.callAt(code, at, address);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
