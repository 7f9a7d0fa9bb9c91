import type { MachineListing } from '../disassemble/machine-listing.js';
import type { DebugAbi } from '../dwarf/debug-abi.js';
import type { NativeMachine } from '../elf/elf-file.js';
import type { MachinePlaces } from '../text/code-place.js';
import type { FindLeftParts } from '../text/left-parts.js';
import type { MachineSites } from '../text/machine-sites.js';
import type { PortableAssembler } from './assembler.js';
import type { ProbeMachine } from './probe-machine.js';
import type { SlotPlace, Thunk, ThunkEntries, ThunkFunction } from './thunk.js';

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
 * A machine, but for what a process of it is (ProcessAbi) and what ELF is on it (ElfAbi): its text, and the code that is emitted
 * for it.
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
