import { sameBytes } from '../../../base/same-bytes.js';
import { processMachine } from './process-machine.js';
import type { ProcessMemory } from './process-memory.js';
import type { StoppedThread } from './stop.js';
import type { SystemCallState } from './tasks.js';
import { CALL_NUMBER } from './thread-registers.js';

const { syscall } = processMachine.stubs;

/**
 * The system call that a stopped thread is in. On arm64 one that waits is set back to the instruction, to make the call again (do_signal() of
 * arch/arm64/kernel/signal.c): then only its registers tell.
 * @param registers x0 to x30, if they are known
 */
export function systemCallOf(
  memory: ProcessMemory,
  { pc, call }: StoppedThread,
  registers: readonly number[] | undefined,
): SystemCallState | undefined {
  if (call !== undefined || registers === undefined) return call;
  if (!sameBytes(memory.read(pc, syscall.length), syscall)) return undefined;
  return { nr: registers[CALL_NUMBER]!, args: registers.slice(0, 6) };
}
