import type { ElfFile } from '../../elf/elf-file.js';
import { slotNames } from '../../elf/relocations.js';
import { type SiteTable, SiteTables } from '../../elf/site-tables.js';
import type { ElfSymbol } from '../../elf/symbols.js';
import type { ObjectFunction } from '../../text/object-functions.js';
import type { SiteForm } from '../../text/site.js';
import { builtFrame } from './built-frame.js';
import { INSTRUCTION_LENGTH, isCall, isLandingPad, NOP, wordsOf } from './encode.js';
import { CallSite } from './site.js';
import { stubNames } from './stubs.js';

/** The profiler's function; clang's name has an escape before it. */
const MCOUNT = ['_mcount', '\u0001_mcount'];
/** How far a bl goes. */
const distance = (word: number): number => ((word << 6) >> 6) * INSTRUCTION_LENGTH;
/** XRay's entry: a branch over seven NOPs. */
const XRAY_BRANCH = 0x14000008;
/** How far before a function NOPs may begin that a table lists: -fpatchable-function-entry=N,M. */
const MOST_BEFORE = 256;

/** Finds the sites that compilers left in an object's functions. */
export class SiteFinder {
  readonly #elf: ElfFile;
  readonly #mcount = new Set<number>();
  readonly #tables: SiteTables;

  constructor(elf: ElfFile, symbols: Iterable<ElfSymbol>) {
    this.#elf = elf;
    for (const [stub, name] of stubNames(elf, slotNames(elf))) if (MCOUNT.includes(name)) this.#mcount.add(stub);
    for (const { name, address } of symbols) if (MCOUNT.includes(name)) this.#mcount.add(address);
    this.#tables = new SiteTables(elf);
  }

  /** The site of a function; undefined: it has none. */
  find({ start, end }: ObjectFunction): CallSite | undefined {
    const code = this.#elf.at(start, end - start);
    if (code === undefined) return undefined;
    const words = wordsOf(code);
    const entry = words.length > 0 && isLandingPad(words[0]!) ? 1 : 0;
    const site = (form: SiteForm, index: number, length: number): CallSite => {
      const frame = form === 'mcount' ? builtFrame(words.slice(0, index)) : undefined;
      return new CallSite({
        address: start + index * INSTRUCTION_LENGTH,
        form,
        table: this.#tableOf(start, end),
        compiled: Uint8Array.from(code.subarray(index * INSTRUCTION_LENGTH, (index + length) * INSTRUCTION_LENGTH)),
        returnSlot: form !== 'mcount' ? 'top' : frame === undefined ? 'copy' : 'frame',
        frame,
      });
    };
    if (words[entry] === NOP && words[entry + 1] === NOP) return site('nop', entry, 2);
    if (words[entry] === XRAY_BRANCH && this.#tables.at(start + entry * INSTRUCTION_LENGTH) === 'xray_instr_map') {
      return site('xray', entry, 2);
    }
    const call = words.findIndex((word, i) => isCall(word) && this.#mcount.has(start + i * INSTRUCTION_LENGTH + distance(word)));
    return call < 0 ? undefined : site('mcount', call, 1);
  }

  /** The table that lists a function's site. */
  #tableOf(start: number, end: number): SiteTable | undefined {
    const last = this.#tables.last(end - 1);
    return last === undefined || last.address < start - MOST_BEFORE ? undefined : last.table;
  }
}
