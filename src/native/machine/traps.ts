/** A place that makes a system call by which a thread says which signals it takes. */
export interface SignalCall {
  readonly name: 'rt_sigaction' | 'rt_sigprocmask';
  /** The offset, from the code's start, of the instruction that loads the call's number, over which a jump fits. */
  readonly offset: number;
}

/** The bit of SIGTRAP in a set of signals. */
export const SIGTRAP_BIT = 1 << 4;

/** What leads from breakpoints to probes: a handler of SIGTRAP, which is put into the process. `arena` is an address. */
export interface MachineTraps {
  /** Bytes of the instruction that loads the number of a `SignalCall`. */
  readonly loadBytes: number;
  /** Finds such calls in code, as the C library is compiled. Bytes in the midst of other instructions may look like one. */
  signalCalls(code: Buffer): readonly SignalCall[];
  /**
   * Builds a function for a borrowed thread. Handlers that block SIGTRAP while they run do so no more, and SIGTRAP gets a
   * handler; the program's own is kept in the arena.
   */
  buildInstaller(address: number, arena: number): Uint8Array;
  /** Builds a function for a borrowed thread: SIGTRAP gets the program's own handler back. */
  buildRemover(address: number, arena: number): Uint8Array;
  /**
   * Builds what a jump leads to that takes the place of a call's load. All registers are kept but those that a system call
   * changes, and the flags are kept.
   * @param load the address of the instruction of which the jump takes the place
   */
  buildSignalHook(address: number, arena: number, name: SignalCall['name'], load: number): Uint8Array;
}
