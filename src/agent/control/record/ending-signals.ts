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

/** Milliseconds between two looks at what the program listens to. */
const LOOK = 100;

/**
 * Before a signal from outside ends the process (Ctrl-C in its terminal, `kill`), calls `beforeEnd`, and then lets the signal end
 * it. A signal that the program listens to is left to the program; so is one that it listened to a moment ago, because the listener of
 * `process.once` may have run already. Does nothing where Node does not allow it.
 */
export class EndingSignals {
  readonly #handles = new Map<number, SignalHandle>();
  /** What the program listened to at the last look. */
  readonly #listenedTo = new Set<number>();
  readonly #looks: NodeJS.Timeout;

  constructor(beforeEnd: () => void) {
    try {
      const Signal = signalClass();
      for (const name of ENDING) {
        const handle = new Signal();
        handle.unref();
        handle.onsignal = (signal) => this.#came(signal, beforeEnd);
        const signal = constants.signals[name];
        if (handle.start(signal) === 0) this.#handles.set(signal, handle);
      }
    } catch {
      // Pages are written as they fill, and several times a second.
    }
    this.#looks = setInterval(() => this.#look(), LOOK).unref();
  }

  /** From now on signals end the process at once. */
  end(): void {
    clearInterval(this.#looks);
    for (const handle of this.#handles.values()) handle.stop();
    this.#handles.clear();
  }

  #look(): void {
    for (const signal of this.#handles.keys()) {
      if (this.#isHeard(signal)) this.#listenedTo.add(signal);
      else this.#listenedTo.delete(signal);
    }
  }

  /** Whether the program listens: the last handle of a signal takes the handler away. */
  #isHeard(signal: number): boolean {
    const handle = this.#handles.get(signal);
    handle?.stop();
    const isHeard = isCaught(signal);
    handle?.start(signal);
    return isHeard;
  }

  #came(signal: number, beforeEnd: () => void): void {
    if (this.#isHeard(signal) || this.#listenedTo.has(signal)) return;
    this.#handles.get(signal)?.stop();
    this.#handles.delete(signal);
    try {
      beforeEnd();
    } finally {
      process.kill(process.pid, signal);
    }
  }
}
