import type { BtAnswer } from '../../answers/bt/bt-answer.js';
import { TraceError } from '../../base/errno.js';
import type { Inspect, StackLook } from '../../port/inspect.js';
import { nativeBt } from '../unwind/native-bt.js';

/** What only a port to JavaScript answers. @throws TraceError EOPNOTSUPP */
const noJavaScript = (): never => {
  throw new TraceError('EOPNOTSUPP', 'this process runs no JavaScript that can be asked');
};

/** What a port to machine code alone answers: the stacks of all threads, as they are found from outside. */
export class NativeInspect implements Inspect {
  readonly #pid: number;
  readonly #begin: () => StackLook;

  constructor(pid: number, begin: () => StackLook) {
    this.#pid = pid;
    this.#begin = begin;
  }

  bt(): Promise<BtAnswer> {
    return nativeBt(this.#pid, this.#begin());
  }

  async waiting(): Promise<never> {
    return noJavaScript();
  }

  async handles(): Promise<never> {
    return noJavaScript();
  }

  async allocations(): Promise<never> {
    return noJavaScript();
  }

  async heap(): Promise<never> {
    return noJavaScript();
  }

  watchTurns(): never {
    return noJavaScript();
  }
}
