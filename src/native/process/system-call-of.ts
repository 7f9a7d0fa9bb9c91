import { attempt } from '../../base/attempt.js';
import { sameBytes } from '../../base/same-bytes.js';
import { processMachine } from '../machines/process-machine.js';
import type { ProcessMemory } from './process-memory.js';
import type { StoppedThread } from './stop.js';
import type { SystemCallState } from './tasks.js';

const { stubs, registers: registerSet } = processMachine;

/**
 * The system call that a stopped thread is in. On arm64 the stop ends it where a thread waits: it is set back to the instruction,
 * to make the call again, or has EINTR behind it, as from epoll_pwait (do_signal() of arch/arm64/kernel/signal.c). Then only its
 * registers tell; the first argument may be lost.
 * @param registers the general registers, if they are known
 */
export function systemCallOf(
  memory: ProcessMemory,
  { pc, call }: StoppedThread,
  registers: readonly number[] | undefined,
): SystemCallState | undefined {
  if (call !== undefined || registers === undefined || registerSet === undefined) return call;
  const { syscall } = stubs;
  const isCall = (address: number): boolean => {
    // Before a range of text there may be nothing.
    const bytes = attempt(() => memory.read(address, syscall.length));
    return bytes !== undefined && sameBytes(bytes, syscall);
  };
  if (!isCall(pc) && !isCall(pc - syscall.length)) return undefined;
  return { nr: registers[registerSet.callNumber]!, args: registers.slice(0, 6) };
}
