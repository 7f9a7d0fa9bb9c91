import { PAGE } from '../../../base/page.js';
import { outputOf, type ProcessAbi } from '../../process/process-abi.js';
import { x86Stubs } from './borrowed-stub.js';
import { threadPointerSet } from './thread-pointer.js';

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
  threadPointerCall: { nr: 158, set: 0x1002, get: 0x1003 },
  hasLinkRegister: false,
  loop: Uint8Array.of(0xeb, 0xfe),
  stubs: x86Stubs,
  outputs: { 0: BYTES, 45: BYTES, 232: EVENTS, 281: EVENTS, 441: EVENTS },
};
