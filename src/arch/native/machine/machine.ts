import type { NativeMachine } from '../elf/elf-file.js';
import type { NativeSite } from '../text/site.js';
import type { Assembler } from './assembler.js';
import type { Label } from './operands.js';

/**
 * Where the caller's address is when a thunk calls a trampoline: where a site has called its thunk, or jumped there; or in the frame that the
 * function has built.
 */
export const PARENT_PLACES = ['behind a call', 'behind a jump', 'in the frame'] as const;
export type ParentPlace = (typeof PARENT_PLACES)[number];

/** Where the return address is that a call is followed by: at the place above the function's number, or in the frame that it has built. */
export const SLOT_PLACES = ['on the stack', 'in the frame'] as const;
export type SlotPlace = (typeof SLOT_PLACES)[number];

/** What the site of a function must do to be traced, and where its code is. */
export interface Thunk {
  readonly address: number;
  readonly use: 'call' | 'jump';
}

/** What thunks call or jump to. */
export interface ThunkEntries {
  readonly functionEntry: Readonly<Record<ParentPlace, number>>;
  readonly graphEntry: Readonly<Record<SlotPlace, number>>;
  readonly graphExit: number;
  /** What thunks of functions with operations call. */
  readonly listEntry: Readonly<Record<ParentPlace, number>>;
}

/** A function that gets a thunk: its number, its site, and where it goes on. */
export interface ThunkFunction {
  readonly n: number;
  readonly site: Pick<NativeSite, 'form' | 'returnSlot' | 'frame' | 'resume' | 'body'>;
  readonly goesOn: Label | number;
}

/** What the emitted code of a machine has of its own. */
export interface Machine {
  readonly name: NativeMachine;
  /** A clock in the arena: ns = ((counter - BASE) * MULTIPLIER >> clockShift) + OFFSET. */
  readonly clockShift: number;
  /** Bytes from a function's number to its return address, by what the site has done. */
  readonly returnAbove: Readonly<Record<Thunk['use'], number>>;
  /** Bytes from the address to which a followed call's entry returns in its thunk to where the function returns. */
  readonly exitDistance: Readonly<Record<SlotPlace, number>>;
  /**
   * Return addresses are in a register, and a call's place on the stack is only where its function began: the stack of a coroutine can begin there too. So
   * the exit, which a function finds in that register when it has returned, tells the calls of one place apart.
   */
  readonly hasLinkRegister: boolean;
  /**
   * For a function that has built its frame: bytes from its number to where a thunk of function_graph has put the call's place and its return address. The
   * thunk writes what stands there afterwards, or the exit, into the frame. Absent: the place is in the frame.
   */
  readonly frameWords?: { readonly place: number; readonly returnAddress: number };
  /** DWARF's numbers of the stack pointer, and of the register or column that has the return address. */
  readonly dwarf: { readonly stackPointer: number; readonly returnAddress: number };
  /** Functions can be probed and replaced by live patches, and text can have breakpoints. */
  readonly hasProbes: boolean;
  /** Where entries are recorded, the registers of arguments have what they had at the call, and are kept in the order in which they were named. */
  readonly hasEntryArguments: boolean;
  assembler(address?: number): Assembler;
  /** Emits the thunk of the function tracer. */
  functionThunk(code: Assembler, entries: ThunkEntries, one: ThunkFunction): Thunk;
  /** Emits that of function_graph; undefined: the return address cannot be found. */
  graphThunk(code: Assembler, entries: ThunkEntries, one: ThunkFunction): Thunk | undefined;
  /** Emits what does a function's operations and goes on with another thunk of it, if there is one. */
  listThunk(code: Assembler, entries: ThunkEntries, one: ThunkFunction, next?: Thunk): void;
}
