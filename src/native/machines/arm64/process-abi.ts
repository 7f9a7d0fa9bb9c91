import { PAGE } from '../../../base/page.js';
import { outputOf, type ProcessAbi } from '../../process/process-abi.js';
import { arm64Stubs } from './borrowed-stub.js';
import { bytesOf, JUMP_TO_ITSELF } from './encode.js';
import { threadPointerSet } from './thread-pointer.js';

const BYTES = outputOf(1);
const EVENTS = outputOf(16);

/** Processes on arm64, as Linux runs them. */
export const processAbi: ProcessAbi = {
  name: 'arm64',
  arch: 'arm64',
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
  threadPointerSet,
  hasLinkRegister: true,
  loop: bytesOf([JUMP_TO_ITSELF]),
  stubs: arm64Stubs,
  outputs: { 63: BYTES, 207: BYTES, 22: EVENTS, 441: EVENTS },
};
