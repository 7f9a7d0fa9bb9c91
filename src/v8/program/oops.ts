import { AtomicsAdd, AtomicsLoad } from '../../base/primordials.js';
import { type ControlBlock, WORD } from '../shared/control-block.js';
import type { ThreadEvent } from '../shared/protocol.js';
import type { ProgramInterface } from './program-interface.js';
import { waitForControl } from './wait-for-control.js';

/** A thread that can request a dump of the buffers. */
export interface DumpingThread {
  readonly cpu: number;
  readonly block: ControlBlock;
  tell(event: ThreadEvent): void;
  /** Waits until the control thread listens. */
  reach(): boolean;
}

/** Makes the control thread print all buffers, or only this thread's, and waits until it has done so (ftrace_dump). */
export function dump(thread: DumpingThread, ownCpuOnly: boolean): void {
  if (!thread.reach()) return;
  const asked = AtomicsAdd(thread.block, WORD.DUMPS_ASKED, 1) + 1;
  thread.tell({ type: 'dump', cpu: ownCpuOnly ? thread.cpu : undefined });
  waitForControl(thread.block, WORD.DUMPS_DONE, asked);
}

/** The program is about to die of an uncaught error: dumps the buffers, if that is set. */
export function oops(thread: DumpingThread): void {
  const wanted = AtomicsLoad(thread.block, WORD.DUMP_ON_OOPS);
  if (wanted !== 0) dump(thread, wanted === 2);
}

/** A warning turns tracing off, and the trace says why it ends (disable_trace_on_warning). */
export function stopAtWarning(program: Pick<ProgramInterface, 'isTracingOn' | 'mark' | 'setTracingOn'>): void {
  if (!program.isTracingOn) return;
  program.mark('Disabling tracing due to warning\n');
  program.setTracingOn(false);
}

/** Calls `before` when the program aborts itself. */
export function beforeAbort(before: () => void): void {
  const { abort } = process;
  function aborted(): never {
    before();
    return abort();
  }
  Object.defineProperty(aborted, 'name', { value: 'abort', configurable: true });
  process.abort = aborted;
}
