import type { UnwoundMachine } from '../machines/unwind-abis.js';
import type { StubMachine } from './borrowed-stub.js';

/**
 * Which argument of a system call is where the kernel writes, which says how much there is room for, and in pieces of how many
 * bytes.
 */
export interface OutputArguments {
  readonly buffer: number;
  readonly room: number;
  readonly bytes: number;
}

/** Numbers of the system calls that a process is made to make. */
export interface SystemCallNumbers {
  readonly write: number;
  readonly close: number;
  readonly mmap: number;
  readonly mprotect: number;
  readonly munmap: number;
  readonly madvise: number;
  readonly ftruncate: number;
  readonly fallocate: number;
  readonly memfd_create: number;
  readonly getpid: number;
  readonly gettid: number;
  readonly prctl: number;
  readonly membarrier: number;
}

/** The general registers of a thread, as ptrace(2) gives them. */
export interface RegisterSet {
  /** The number of the system call ptrace. */
  readonly ptrace: number;
  /** Words of the set, and how many of these are the general registers, which stand first. */
  readonly words: number;
  readonly general: number;
  /** Which of them has the number of a system call; the first ones have its arguments. */
  readonly callNumber: number;
}

/** What differs between machines where processes are controlled. */
export interface ProcessAbi {
  readonly name: UnwoundMachine;
  /** The machine as Node names it (process.arch). */
  readonly arch: string;
  readonly systemCalls: SystemCallNumbers;
  /** System calls in which a thread waits for something from outside, with no lock of the C library. */
  readonly waits: ReadonlySet<number>;
  /** How far a jump or call goes, in bytes, and a page less. */
  readonly reach: number;
  /** Addresses of a process have no more bits. */
  readonly addressBits: number;
  /** Where the thread pointer is: at what the C library keeps of the thread, or behind it. */
  readonly threadPointer: 'at the thread' | 'behind the thread';
  /** The offsets in text at which a thread has set its thread pointer. */
  threadPointerSet(text: Buffer): number[];
  /**
   * The system call with which a thread reads and sets its thread pointer, and what it is told for that; absent: it needs none to
   * have one.
   */
  readonly threadPointerCall?: { readonly nr: number; readonly set: number; readonly get: number };
  /** Functions get their return addresses in a register, of which nothing outside of the process knows. */
  readonly hasLinkRegister: boolean;
  /**
   * What the system writes behind the place where a thread goes on that a signal has interrupted: how many bytes are looked at
   * from that place on, and whether they are that. Absent where `hasLinkRegister`: there a thread may always come back.
   */
  readonly interrupted?: { readonly bytes: number; is(words: DataView): boolean };
  /** Where `hasLinkRegister`: how the registers of a stopped thread are read. */
  readonly registers?: RegisterSet;
  /** Taking the right to write to a page interrupts all processors that run the process: it is a memory barrier on them. */
  readonly interruptsForRights: boolean;
  /** The shared object of addon/addon-words.ts. */
  addonFile(): Uint8Array;
  /** The code of process/launcher.ts, for EXECUTABLE_TEXT. */
  launcherCode(): Uint8Array;
  /** An instruction that jumps to itself. */
  readonly loop: Uint8Array;
  readonly stubs: StubMachine;
  /**
   * The system calls that write into memory of the thread, by their numbers: read, recvfrom, epoll_wait, epoll_pwait,
   * epoll_pwait2.
   */
  readonly outputs: Readonly<Record<number, OutputArguments>>;
}

/** Arguments 1 and 2: where the kernel writes, and how many pieces of so many bytes. */
export const outputOf = (bytes: number): OutputArguments => ({ buffer: 1, room: 2, bytes });
