import type { ElfFile } from '../elf/elf-file.js';
import type { CodeRange } from './object-functions.js';

/** A place between two instructions of a function. */
export interface InstructionPlace {
  /** Bytes from the function's start. */
  readonly offset: number;
  /** Bytes of the instructions that run elsewhere while a probe stands there. */
  readonly length: number;
  /** How many these are. */
  readonly instructions: number;
  /** Present if no jump fits: a breakpoint stands there. */
  readonly noJump?: string;
  /** Present if no probe can stand there at all. */
  readonly reason?: string;
}

/** The part of a function in which its own site is, as offsets from its start. */
export type SiteRange = readonly [from: number, to: number];

/** Code of an object, and where its first byte is. */
export interface PlacedCode {
  readonly code: Buffer;
  readonly address: number;
}

/** Finds the places of an object's functions at which probes can stand. */
export interface MachinePlaceFinder {
  /** @param start the function's address in the object's file */
  places(code: Buffer, start: number, site: SiteRange | undefined): readonly InstructionPlace[];
}

/** What a machine puts into the middle of functions for probes. */
export interface MachinePlaces {
  /** Finds places of an object, all of whose code is in these ranges. */
  readonly PlaceFinder: new (
    elf: ElfFile,
    ranges: () => readonly CodeRange[],
  ) => MachinePlaceFinder;
  /** The breakpoint. */
  readonly BREAKPOINT: Uint8Array;
  /** A jump in the place of so many bytes at an address. Throws ERANGE if the target is too far away. */
  placeJump(address: number, length: number, target: number): Uint8Array;
  /**
   * The instructions of a place, for memory at an address, and a jump behind them. Throws ERANGE if something is out of reach.
   */
  placeBody(placed: PlacedCode, place: InstructionPlace, at: number): Uint8Array;
}
