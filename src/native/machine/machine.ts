import type { Refused } from '../../base/refused.js';
import type { MachineListing } from '../disassemble/machine-listing.js';
import type { DebugAbi } from '../dwarf/debug-abi.js';
import type { ElfFile, NativeMachine } from '../elf/elf-file.js';
import type { ElfSymbol } from '../elf/symbols.js';
import type { MachinePlaces } from '../text/code-place.js';
import type { CodeRange, ObjectFunction } from '../text/object-functions.js';
import type { CompiledSite, MovedSite, NativeSite } from '../text/site.js';
import type { PortableAssembler } from './assembler.js';
import type { ProbeMachine } from './probe-machine.js';
import type { SlotPlace, Thunk, ThunkEntries, ThunkFunction } from './thunk.js';
import type { MachineTraps } from './traps.js';

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

/** Text in which sites of an earlier host may be armed. */
export interface LeftText {
  /** The text as it is now, and as its file has it: from `address` on. */
  readonly text: Uint8Array;
  readonly original: Uint8Array;
  readonly address: number;
  /** Whether an address is in the code of that host. */
  isLeft(target: number): boolean;
  /** Where that host has, or had, breakpoints. */
  readonly traps: ReadonlySet<number>;
}

/** Finds the parts of a text that lead to the code of an earlier host: from one offset to another. */
export type FindLeftParts = (text: LeftText) => readonly (readonly [from: number, to: number])[];

/** What unwinders know of a machine. */
export interface MachineDwarf {
  /** The number of the stack pointer. */
  readonly stackPointer: number;
  /** The number of the register or column that has the return address. */
  readonly returnAddress: number;
  /** The first words, of 32 bits, of what signal handlers return to, by which libgcc knows it where no table says so. */
  readonly signalReturn: readonly number[];
}

/**
 * A machine: its text, and the code that is emitted for it. What ELF is on it (ElfAbi) and what a process of it is (ProcessAbi)
 * stand apart: the reader of ELF files, which this needs, has the first, and the small program that stops a process loads the
 * second without this.
 */
export interface Machine {
  readonly name: NativeMachine;
  /** What finds sites in its text. */
  readonly sites: MachineSites;
  /** What it puts into the middle of functions for probes. */
  readonly places: MachinePlaces;
  /** What debug information counts on. */
  readonly debug: DebugAbi;
  /** Finds what an earlier host has left in text. */
  readonly leftParts: FindLeftParts;
  /** Breakpoints of probes; absent: a jump fits everywhere. */
  readonly traps?: MachineTraps;
  readonly listing: MachineListing;
  /** The counter that its clock reads is the time stamp counter of the kernel's `x86-tsc`. */
  readonly hasTimeStamp: boolean;
  /** A clock in the arena: ns = ((counter - BASE) * MULTIPLIER >> clockShift) + OFFSET. */
  readonly clockShift: number;
  /** Bytes from a function's number to its return address, by what the site has done. */
  readonly returnAbove: Readonly<Record<Thunk['use'], number>>;
  /** Bytes from the address to which a followed call's entry returns in its thunk to where the function returns. */
  readonly exitDistance: Readonly<Record<SlotPlace, number>>;
  /**
   * Return addresses are in a register, and a call's place on the stack is only where its function began: the stack of a
   * coroutine can begin there too. So the exit, which a function finds in that register when it has returned, tells the calls of
   * one place apart.
   */
  readonly hasLinkRegister: boolean;
  /**
   * For a function that has built its frame: bytes from its number to where a thunk of function_graph has put the call's place
   * and its return address. The thunk writes what stands there afterwards, or the exit, into the frame. Absent: the place is in
   * the frame.
   */
  readonly frameWords?: { readonly place: number; readonly returnAddress: number };
  readonly dwarf: MachineDwarf;
  readonly probes: ProbeMachine;
  assembler(address?: number): PortableAssembler;
  /** Emits the thunk of the function tracer. */
  functionThunk(code: PortableAssembler, entries: ThunkEntries, one: ThunkFunction): Thunk;
  /** Emits that of function_graph; undefined: the return address cannot be found. */
  graphThunk(code: PortableAssembler, entries: ThunkEntries, one: ThunkFunction): Thunk | undefined;
  /** Emits what does a function's operations and goes on with another thunk of it, if there is one. */
  listThunk(code: PortableAssembler, entries: ThunkEntries, one: ThunkFunction, next?: Thunk): void;
}
