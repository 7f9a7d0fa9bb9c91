import type { NativeSite } from '../text/site.js';
import type { PortableAssembler } from './assembler.js';
import type { SlotPlace, Thunk, ThunkEntries, ThunkFunction } from './thunk.js';

/**
 * What a probed place is: a function's site that jumps or calls; any other place, at which all registers and flags count; or a
 * function's end.
 */
export const PROBE_CONTEXTS = ['jumped', 'called', 'middle', 'returned'] as const;
export type ProbeContext = (typeof PROBE_CONTEXTS)[number];

/** Who hears the end of a call besides function_graph: a return probe; or that one alone. */
export const PROBED_BY = ['with graph', 'alone'] as const;
export type ProbedBy = (typeof PROBED_BY)[number];

/** The registers that a probe finds, by the names that the kernel has for them. */
export interface ProbeRegisters {
  /** Where a place's registers are, in bytes from FP on; `sp` among them. */
  readonly saved: Readonly<Record<string, number>> & { readonly sp: number };
  /** Registers that every thread has so. */
  readonly constants: Readonly<Record<string, bigint>>;
  readonly instructionPointer: string;
  /** Registers of a function's first integers and pointers. */
  readonly arguments: readonly string[];
  /** What a function returns. */
  readonly result: string;
}

/** So many bytes behind what a register has. */
export interface RegisterPlace {
  readonly register: string;
  readonly offset: number;
}

/** Where a probed place's other words are, in bytes from FP on. */
export interface ProbeWords {
  /** The number of the place. */
  readonly number: number;
  /** Where the function returns to, in a return probe. */
  readonly returnAddress: number;
}

/** What thunks of functions with probes call and jump to. */
export interface ProbedThunkEntries extends ThunkEntries {
  /** What follows calls whose end a return probe hears. */
  readonly probedEntry: Readonly<Record<SlotPlace, Readonly<Record<ProbedBy, number>>>>;
  /** What probed places call. */
  readonly probeEntry: Readonly<Record<ProbeContext, number>>;
}

/** A function with probes: their numbers among the probed places, and the tracer that wants its calls. */
export interface ProbedThunkFunction extends ThunkFunction {
  readonly entry?: number | undefined;
  readonly exit?: number | undefined;
  readonly tracer?: 'function' | 'function_graph' | undefined;
}

/** How the code of a machine is probed. */
export interface ProbeMachine {
  readonly registers: ProbeRegisters;
  readonly words: ProbeWords;
  /** From the stack pointer at a function's entry up to its first argument on the stack, in bytes. */
  readonly stackArguments: number;
  /** Where the place of a call is at the site of its function (FRAME.SLOT). */
  placeOf(site: Pick<NativeSite, 'returnSlot' | 'frame'>): RegisterPlace;
  /**
   * Begins what a probed place calls that has put its number on the stack: keeps all registers, to which FP leads from here on.
   */
  enter(code: PortableAssembler, context: ProbeContext): void;
  /** Gives them back, in the middle of a function the flags too, and returns to the thunk. */
  leave(code: PortableAssembler, context: ProbeContext): void;
  /**
   * Emits the thunk of a function with probes: its entry's, then the tracer, then a return that a return probe or function_graph
   * hears.
   */
  functionThunk(code: PortableAssembler, entries: ProbedThunkEntries, one: ProbedThunkFunction): Thunk;
  /** Emits the thunk of another place, up to the instructions that ran there. */
  placeThunk(code: PortableAssembler, entries: ProbedThunkEntries, number: number): void;
}
