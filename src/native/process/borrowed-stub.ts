/**
 * Code that a thread of another process runs once, in place of what it was about to run: system calls with given arguments. It
 * keeps all registers and flags, and what the thread's machine lets code keep below its stack pointer.
 */

/** A system call to be made: its number, and up to six arguments. */
export interface RemoteCall {
  readonly nr: number;
  readonly args: readonly RemoteArgument[];
}

/** A function of the process that is called with up to six arguments. */
export interface RemoteFunctionCall {
  readonly address: number;
  readonly args: readonly number[];
  /**
   * Where its stack may be, and the state of the floating-point unit meanwhile: at least `SCRATCH_BYTES`, zero, aligned to 64.
   */
  readonly scratch: number;
}

/** A number, the result of an earlier call of the same list, or the address of these bytes. */
export type RemoteArgument = number | { readonly result: number } | { readonly bytes: Uint8Array };

/** What a stub is made for. */
export interface StubRequest {
  /** Where the stub will stand. */
  readonly address: number;
  /** Where a jump to the stub stands, `FAR_JUMP_BYTES`, if the stub is not near the thread. */
  readonly step: number | undefined;
  /** The thread that makes the calls; others that come by wait. */
  readonly tid: number;
  /** The address at which the thread stands. */
  readonly pc: number;
  /** Whether the thread stands behind the instruction of a system call, which the system may run again. */
  readonly isInCall: boolean;
  readonly calls: readonly (RemoteCall | RemoteFunctionCall)[];
  /** Calls that the thread makes when it is released. */
  readonly last?: readonly RemoteCall[];
}

/** Bytes to be written at an address. */
export interface Patch {
  readonly address: number;
  readonly bytes: Uint8Array;
}

/** A stub, and how it is used. */
export interface BorrowedStub {
  readonly code: readonly Patch[];
  /** Replaces the text at `pc`: leads to the stub. */
  readonly entry: Patch;
  /** Changes the stub so that threads that wait in it leave it and go on where they came from. */
  readonly release: readonly Patch[];
}

/**
 * The thread that has made the calls waits in a system call with three arguments by which it is known: this word, the address
 * below which the results lie, and 1.
 */
export const DONE_WORD = 0x66656e74;

/** Bytes for a function's stack and the state of the processor. */
export const SCRATCH_BYTES = 131_072;

/** How threads are borrowed on a machine. */
export interface StubMachine {
  /** The instruction of a system call. */
  readonly syscall: Uint8Array;
  /** Bytes of a jump to a stub. */
  readonly jumpBytes: number;
  /** A jump takes the place of one instruction: no thread is ever in the midst of what it replaces. */
  readonly isOneInstruction: boolean;
  /** Bytes of what leads from near a thread to a stub that is far away. */
  readonly stepBytes: number;
  /** Which arguments of the system call in which the thread waits say that it has made its calls. */
  readonly doneArguments: { readonly word: number; readonly results: number; readonly one: number };
  /** Makes the stub for a request. */
  borrowedStub(request: StubRequest): BorrowedStub;
}
