import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ENDING_SIGNALS } from '../../base/ending-signals.js';

/** Node's handle of a signal, which hears it on the event loop of the thread that made it, however busy the others are. */
interface SignalHandle {
  onsignal: (signal: number) => void;
  start(signal: number): number;
  stop(): void;
  unref(): void;
}

/** Node lets only the main thread listen to signals; its class is open to a thread that was started with `--expose-internals`. */
const signalClass = (): (new () => SignalHandle) =>
  createRequire(import.meta.url)('internal/test/binding').internalBinding('signal_wrap').Signal;

/** Whether a function of this process handles the signal. */
const isCaught = (signal: number): boolean => {
  const [, mask = '0'] = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
  return ((BigInt(`0x${mask}`) >> BigInt(signal - 1)) & 1n) === 1n;
};

/**
 * Before a signal from outside ends the process (Ctrl-C in its terminal, `kill`), calls `beforeEnd`, and then lets the signal end
 * it; if that takes longer, when its promise is settled. A signal that the program listens to is left to the program. Does
 * nothing where Node does not allow it.
 */
export class EndingSignals {
  readonly #handles = new Map<number, SignalHandle>();
  readonly #heard: (signal: number) => number;
  /** How many of each signal were left to the program. */
  readonly #left = new Map<number, number>();

  /** @param heard how many signals of a number the program's listeners were called for, with the one whose listener is gone */
  constructor(heard: (signal: number) => number, beforeEnd: () => void | Promise<void>) {
    this.#heard = heard;
    try {
      const Signal = signalClass();
      for (const signal of ENDING_SIGNALS) {
        const handle = new Signal();
        handle.unref();
        handle.onsignal = () => this.#came(signal, beforeEnd);
        if (handle.start(signal) === 0) this.#handles.set(signal, handle);
        this.#left.set(signal, heard(signal));
      }
    } catch {
      // What is not written yet is lost.
    }
  }

  /** From now on signals end the process at once. */
  end(): void {
    for (const handle of this.#handles.values()) handle.stop();
    this.#handles.clear();
  }

  /** Whether the program listens: the last handle of a signal takes the handler away. */
  #isListenedTo(signal: number): boolean {
    const handle = this.#handles.get(signal);
    handle?.stop();
    const isCaughtByProgram = isCaught(signal);
    handle?.start(signal);
    return isCaughtByProgram;
  }

  /** Whether a signal that has come is the program's: it listens, or did when it came, as with `process.once`. */
  #isLeft(signal: number): boolean {
    const left = this.#left.get(signal)!;
    const isListenedTo = this.#isListenedTo(signal);
    // Only now: what it has heard was counted before its listener could go.
    const heard = this.#heard(signal);
    // Of signals that it no longer listens to, all that it has heard were counted.
    this.#left.set(signal, isListenedTo ? left + 1 : Math.min(left + 1, heard));
    return isListenedTo || heard > left;
  }

  #came(signal: number, beforeEnd: () => void | Promise<void>): void {
    if (this.#isLeft(signal)) return;
    this.#handles.get(signal)?.stop();
    this.#handles.delete(signal);
    const end = (): void => void process.kill(process.pid, signal);
    let isLater = false;
    try {
      const last = beforeEnd();
      if (last instanceof Promise) {
        isLater = true;
        void last.then(end, end);
      }
    } finally {
      if (!isLater) end();
    }
  }
}
