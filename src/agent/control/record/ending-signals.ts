import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';

/** Signals that end a program which does not listen to them, and that a process can see coming. */
const ENDING = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const;

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
 * it. A signal that the program listens to is left to the program. Does nothing where Node does not allow it.
 */
export class EndingSignals {
  readonly #handles: SignalHandle[] = [];

  constructor(beforeEnd: () => void) {
    try {
      const Signal = signalClass();
      for (const name of ENDING) {
        const handle = new Signal();
        handle.unref();
        handle.onsignal = (signal) => this.#came(handle, signal, beforeEnd);
        if (handle.start(constants.signals[name]) === 0) this.#handles.push(handle);
      }
    } catch {
      // Pages are written as they fill, and several times a second.
    }
  }

  /** From now on signals end the process at once. */
  end(): void {
    for (const handle of this.#handles.splice(0)) handle.stop();
  }

  #came(handle: SignalHandle, signal: number, beforeEnd: () => void): void {
    // The last handle of a signal takes the handler away: if there is one still, the program listens, and has heard the signal.
    handle.stop();
    if (isCaught(signal)) {
      handle.start(signal);
      return;
    }
    try {
      beforeEnd();
    } finally {
      process.kill(process.pid, signal);
    }
  }
}
