import { TraceError } from '../../base/errno.js';
import { processMachine } from '../machines/process-machine.js';
import { isFiltered } from '../process/access.js';
import type { LocalProcess } from './local-process.js';

/**
 * Whether the thread by which this process changes itself has a seccomp filter, as it has when the program has given one to all
 * of its threads: a system call that the filter does not expect could end the process.
 */
export class SeccompFilter {
  readonly #pid = process.pid;
  readonly #tid: number;
  #isOn = false;

  constructor(local: LocalProcess) {
    this.#tid = Number(local.rawSystemCall(processMachine.systemCalls.gettid));
  }

  /** Whether the filter is on: it is never taken away. */
  get isOn(): boolean {
    this.#isOn ||= isFiltered(this.#pid, this.#tid);
    return this.#isOn;
  }

  /** @throws TraceError EPERM */
  check(): void {
    if (!this.isOn) return;
    throw new TraceError(
      'EPERM',
      `process ${this.#pid} has given itself a seccomp filter: a system call that the filter does not expect could end it, so its native text is not changed any more`,
    );
  }
}
