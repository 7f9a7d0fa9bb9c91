import type { ElfFile } from '../../elf/elf-file.js';
import { type SiteTable, SiteTables } from '../../elf/site-tables.js';
import type { ElfSymbol } from '../../elf/symbols.js';
import type { ObjectFunction } from '../../text/object-functions.js';
import type { ReturnSlot, SiteForm } from '../../text/site.js';
import { McountCalls } from './mcount-calls.js';
import { nopsLength } from './nops.js';
import { BRANCH_LENGTH, CallSite } from './site.js';

/** endbr64: where an indirect call may arrive. Sites come after it. */
const ENDBR64 = 0xfa1e0ff3;
/** push %rbp; mov %rsp,%rbp in its two encodings. */
const FRAMES = [0xe5894855, 0xec8b4855];
/** XRay's place at an entry: a jump over 9 bytes of NOP. */
const XRAY_JUMP = 0x09eb;
const XRAY_LENGTH = 11;

/** Bytes of a function that are its site, from its start. */
interface Found {
  readonly form: SiteForm;
  readonly at: number;
  readonly length: number;
}

const wordIs = (code: Buffer, at: number, words: readonly number[]): boolean =>
  at + 4 <= code.length && words.includes(code.readUInt32LE(at));

/** Finds the sites that compilers left in an object's functions. */
export class SiteFinder {
  readonly #elf: ElfFile;
  readonly #calls: McountCalls;
  readonly #tables: SiteTables;

  constructor(elf: ElfFile, symbols: Iterable<ElfSymbol>) {
    this.#elf = elf;
    this.#calls = new McountCalls(elf, symbols);
    this.#tables = new SiteTables(elf);
  }

  /** The site of a function; undefined: it has none. */
  find({ start, end }: ObjectFunction): CallSite | undefined {
    const code = this.#elf.at(start, end - start);
    if (code === undefined) return undefined;
    const entry = wordIs(code, 0, [ENDBR64]) ? 4 : 0;
    const found = this.#atEntry(code, start, entry) ?? this.#afterPrologue(code, start, entry);
    if (found === undefined) return undefined;
    const { form, at, length } = found;
    return new CallSite({
      address: start + at,
      form,
      table: this.#tableOf(start, end),
      compiled: Uint8Array.from(code.subarray(at, at + length)),
      returnSlot: at === entry ? 'top' : returnSlotOf(code, entry),
    });
  }

  #atEntry(code: Buffer, start: number, entry: number): Found | undefined {
    const call = this.#calls.callAt(code, entry, start);
    if (call !== undefined) return { form: call.isFentry ? 'fentry' : 'mcount', at: entry, length: call.length };
    if (this.#tables.at(start + entry) === 'xray_instr_map' && code.readUInt16LE(entry) === XRAY_JUMP) {
      return { form: 'xray', at: entry, length: XRAY_LENGTH };
    }
    return nopSite(code, entry);
  }

  /** What -pg leaves without -mfentry: a call, or, if recordmcount or the compiler has seen to that, a NOP that a table lists. */
  #afterPrologue(code: Buffer, start: number, entry: number): Found | undefined {
    const listed = this.#tables.first(start, start + code.length);
    if (listed?.table === '__mcount_loc') {
      const at = listed.address - start;
      const call = this.#calls.callAt(code, at, start);
      return call === undefined ? nopSite(code, at) : { form: 'mcount', at, length: call.length };
    }
    const call = this.#calls.first(code.subarray(entry), start + entry);
    return call === undefined ? undefined : { form: 'mcount', at: entry + call.at, length: call.length };
  }

  /** The table that lists a function's site: NOPs may begin before the function, those in front of it included. */
  #tableOf(start: number, end: number): SiteTable | undefined {
    const inside = this.#tables.first(start, end);
    if (inside !== undefined) return inside.table;
    const before = this.#tables.last(start);
    if (before?.table !== '__patchable_function_entries') return undefined;
    const front = this.#elf.at(before.address, start - before.address);
    return front !== undefined && nopsLength(front, 0, front.length) === front.length ? before.table : undefined;
  }
}

function nopSite(code: Buffer, at: number): Found | undefined {
  const length = nopsLength(code, at, BRANCH_LENGTH);
  return length < BRANCH_LENGTH || at + length > code.length ? undefined : { form: 'nop', at, length };
}

const returnSlotOf = (code: Buffer, entry: number): ReturnSlot => (wordIs(code, entry, FRAMES) ? 'frame' : 'copy');
