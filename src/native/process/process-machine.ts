import type { NativeMachine } from '../elf/elf-file.js';
import { arm64Stubs } from '../machines/arm64/borrowed-stub.js';
import { bytesOf, JUMP_TO_ITSELF } from '../machines/arm64/encode.js';
import { threadPointerSet as arm64ThreadPointerSet } from '../machines/arm64/thread-pointer.js';
import { x86Stubs } from '../machines/x86-64/borrowed-stub.js';
import { threadPointerSet as x86ThreadPointerSet } from '../machines/x86-64/thread-pointer.js';
import type { StubMachine } from './borrowed-stub.js';

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

/** What differs between machines where processes are controlled. */
export interface ProcessMachine {
  readonly name: NativeMachine;
  /** The number of it in headers of objects. */
  readonly elf: number;
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
  readonly threadPointerSet: (text: Buffer) => number[];
  /**
   * The system call with which a thread reads and sets its thread pointer, and what it is told for that; absent: it needs none to
   * have one.
   */
  readonly threadPointerCall?: { readonly nr: number; readonly set: number; readonly get: number };
  /** Functions get their return addresses in a register, of which nothing outside of the process knows. */
  readonly hasLinkRegister: boolean;
  /** An instruction that jumps to itself. */
  readonly loop: Uint8Array;
  readonly stubs: StubMachine;
}

const PAGE = 4096;

const X86_64: ProcessMachine = {
  name: 'x86-64',
  elf: 62,
  systemCalls: {
    ...{ write: 1, close: 3, mmap: 9, mprotect: 10, munmap: 11, madvise: 28, getpid: 39, ftruncate: 77, prctl: 157, gettid: 186 },
    ...{ fallocate: 285, memfd_create: 319, membarrier: 324 },
  },
  // read, poll, select, pause, nanosleep, accept, recvfrom, recvmsg, wait4, sigsuspend, sigtimedwait, futex, clock_nanosleep,
  // epoll_wait, pselect6, ppoll, epoll_pwait, accept4, epoll_pwait2.
  waits: new Set([0, 7, 23, 34, 35, 43, 45, 47, 61, 128, 130, 202, 230, 232, 270, 271, 281, 288, 441]),
  reach: 2 ** 31 - PAGE,
  addressBits: 47,
  threadPointer: 'at the thread',
  threadPointerSet: x86ThreadPointerSet,
  threadPointerCall: { nr: 158, set: 0x1002, get: 0x1003 },
  hasLinkRegister: false,
  loop: Uint8Array.of(0xeb, 0xfe),
  stubs: x86Stubs,
};

const ARM64: ProcessMachine = {
  name: 'arm64',
  elf: 183,
  systemCalls: {
    ...{ ftruncate: 46, close: 57, write: 64, prctl: 167, getpid: 172, gettid: 178, munmap: 215, mmap: 222, mprotect: 226 },
    ...{ fallocate: 47, madvise: 233, memfd_create: 279, membarrier: 283 },
  },
  // restart_syscall, read, nanosleep, accept, recvfrom, recvmsg, wait4, sigsuspend, sigtimedwait, futex, clock_nanosleep,
  // pselect6, ppoll, epoll_pwait, accept4, epoll_pwait2.
  waits: new Set([128, 63, 101, 202, 207, 212, 260, 133, 137, 98, 115, 72, 73, 22, 242, 441]),
  reach: 2 ** 27 - PAGE,
  addressBits: 48,
  threadPointer: 'behind the thread',
  threadPointerSet: arm64ThreadPointerSet,
  hasLinkRegister: true,
  loop: bytesOf([JUMP_TO_ITSELF]),
  stubs: arm64Stubs,
};

const MACHINES: Readonly<Record<string, ProcessMachine>> = { x64: X86_64, arm64: ARM64 };

/** Whether processes of this machine can be traced. */
export const isKnownMachine = process.arch in MACHINES;

/**
 * The machine that this process runs on, and those that it traces. Where there is no port to it, that of x86-64, and nothing is
 * traced.
 */
export const processMachine: ProcessMachine = MACHINES[process.arch] ?? X86_64;
