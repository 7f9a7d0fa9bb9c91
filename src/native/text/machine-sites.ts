import type { Refused } from '../../base/refused.js';
import type { ElfFile } from '../elf/elf-file.js';
import type { ElfSymbol } from '../elf/symbols.js';
import type { CompiledSite } from './compiled-site.js';
import type { MovedSite } from './moved-site.js';
import type { CodeRange, ObjectFunction } from './object-functions.js';
import type { NativeSite } from './site.js';

/** What finds the sites of functions on a machine. */
export interface MachineSites {
  /** Finds the sites that the compiler left. */
  readonly SiteFinder: new (
    elf: ElfFile,
    symbols: readonly ElfSymbol[],
  ) => { find(one: ObjectFunction): CompiledSite | undefined };
  /** Finds where a jump can take the place of instructions, or the reason why there can be none. */
  readonly JumpFinder: new (
    elf: ElfFile,
    /** All code of the object. */
    ranges: readonly CodeRange[],
  ) => { find(one: ObjectFunction): MovedSite | Refused };
  /** One that was found, where it is in a process. */
  readonly JumpSite: new (
    address: number,
    compiled: Uint8Array,
    moved: number,
  ) => NativeSite;
  /** A site that the compiler left. */
  readonly CallSite: new (
    site: Pick<NativeSite, 'address' | 'form' | 'table' | 'compiled' | 'returnSlot' | 'frame'>,
  ) => NativeSite;
  /** The stubs of functions that other objects define, by the names of the words that they jump to: address and name of each. */
  stubNames(elf: ElfFile, slots: ReadonlyMap<number, string>): Iterable<readonly [number, string]>;
  /** Whether the last instruction before an address is a call. */
  endsWithCall(elf: ElfFile, end: number): boolean;
}
