import { PAGE } from '../../../base/page.js';
import { outputOf, type ProcessAbi } from '../../process/process-abi.js';
import { addonFile } from './addon-code.js';
import { arm64Stubs } from './borrowed-stub.js';
import { bytesOf, INSTRUCTION_LENGTH, JUMP_TO_ITSELF } from './encode.js';
import { launcherCode } from './launcher-code.js';

/** msr tpidr_el0, without the register. */
const isSet = (word: number): boolean => (word & ~31) >>> 0 === 0xd51bd040;

/** The offsets in text at which a thread has set its thread pointer. */
function threadPointerSet(text: Buffer): number[] {
  const found: number[] = [];
  for (let at = 0; at + INSTRUCTION_LENGTH <= text.length; at += INSTRUCTION_LENGTH) {
    if (isSet(text.readUInt32LE(at))) found.push(at + INSTRUCTION_LENGTH);
  }
  return found;
}

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
  addonFile,
  launcherCode,
  hasLinkRegister: true,
  registers: { ptrace: 117, words: 34, general: 31, callNumber: 8 },
  interruptsForRights: false,
  loop: bytesOf([JUMP_TO_ITSELF]),
  stubs: arm64Stubs,
  outputs: { 63: BYTES, 207: BYTES, 22: EVENTS, 441: EVENTS },
};
