import { PAGE } from '../../../base/page.js';
import { outputOf, type ProcessAbi } from '../../process/process-abi.js';
import { addonFile } from './addon-code.js';
import { x86Stubs } from './borrowed-stub.js';
import { launcherCode } from './launcher-code.js';

/** syscall; arch_prctl, and ARCH_SET_FS, in instructions that load them. */
const SYSCALL = Buffer.of(0x0f, 0x05);
const ARCH_PRCTL = Buffer.of(0x9e, 0, 0, 0);
const SET_FS = Buffer.of(0x02, 0x10, 0, 0);
/** How far before the system call they stand, in bytes. */
const NEAR = 64;

/** The offsets in text at which a thread has set its thread pointer: behind arch_prctl(ARCH_SET_FS). */
function threadPointerSet(text: Buffer): number[] {
  const found: number[] = [];
  let last = 0;
  for (let at = text.indexOf(SYSCALL); at >= 0; at = text.indexOf(SYSCALL, at + 1)) {
    const before = text.subarray(Math.max(last, at - NEAR), at);
    if (before.includes(ARCH_PRCTL) && before.includes(SET_FS)) found.push(at + SYSCALL.length);
    last = at + SYSCALL.length;
  }
  return found;
}

/**
 * In what the system writes on a stack for a signal handler: bytes from where a thread goes on to its flags, and to its code
 * segment.
 */
const FLAGS_AT = 8;
const CODE_SEGMENT_AT = 16;
/** A flag that is always set, and those that programs can have. */
const ALWAYS_SET = 2;
const POSSIBLE_FLAGS = 0x400000;
/** The segment of 64-bit code. */
const CODE_SEGMENT = 0x33;

const BYTES = outputOf(1);
const EVENTS = outputOf(12);

/** Processes on x86-64, as Linux runs them. */
export const processAbi: ProcessAbi = {
  name: 'x86-64',
  arch: 'x64',
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
  threadPointerSet,
  addonFile,
  launcherCode,
  threadPointerCall: { nr: 158, set: 0x1002, get: 0x1003 },
  hasLinkRegister: false,
  interrupted: {
    bytes: CODE_SEGMENT_AT + 8,
    is(words) {
      const flags = Number(words.getBigUint64(FLAGS_AT, true));
      return flags < POSSIBLE_FLAGS && (flags & ALWAYS_SET) !== 0 && words.getUint16(CODE_SEGMENT_AT, true) === CODE_SEGMENT;
    },
  },
  interruptsForRights: true,
  loop: Uint8Array.of(0xeb, 0xfe),
  stubs: x86Stubs,
  outputs: { 0: BYTES, 45: BYTES, 232: EVENTS, 281: EVENTS, 441: EVENTS },
};
