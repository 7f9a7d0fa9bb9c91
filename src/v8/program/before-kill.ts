import type { ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { endingSignalName } from '../../base/ending-signals.js';
import { pause } from '../../base/pause.js';
import { askForLastPages } from '../../recording/last-pages.js';
import { replaceMethod } from '../realm/lookalike.js';
import { type Undo, undoAll } from '../realm/undo.js';

type AnyMethod = (this: unknown, ...args: unknown[]) => unknown;

const USUAL = 'SIGTERM';
/** Milliseconds that a program waits at most for the signal that it has sent to itself. */
const PATIENCE = 2000;
const { apply } = Reflect;

/**
 * A signal that a program sends to itself ends it before process.kill returns. That of a recorded program goes by way of the
 * control thread: without waiting, the program could run on, and end as if there had been no signal.
 */
function awaitOwnEnd(signal: unknown = USUAL): void {
  const name = endingSignalName(signal);
  if (name === undefined || process.listenerCount(name) > 0) return;
  pause(PATIENCE);
}

/**
 * Before the program ends a process of the recording by a signal, that process's last pages are written: a runner of tests ends
 * its workers so. Returns what takes it back.
 * @param folder of the recording; undefined: only a signal to the program itself matters, which a script hears
 * @param isMain in other threads it is not known whether the program listens to a signal
 */
export function followKills(folder: string | undefined, isMain: boolean): Undo {
  const before = (pid: unknown, signal: unknown = USUAL): void => {
    if (folder === undefined || typeof pid !== 'number') return;
    try {
      askForLastPages(folder, pid, signal);
    } catch {
      // The folder is gone: there is no recording any more.
    }
  };
  // Loaded here, because only a recorded program needs it from its start.
  const { ChildProcess } = createRequire(import.meta.url)('node:child_process') as typeof import('node:child_process');
  return undoAll([
    replaceMethod<AnyMethod>(
      process,
      'kill',
      (kill) =>
        ({
          kill(this: unknown, ...args: unknown[]): unknown {
            before(args[0], args[1]);
            const result = apply(kill, this, args);
            if (isMain && args[0] === process.pid) awaitOwnEnd(args[1]);
            return result;
          },
        }).kill,
    ),
    replaceMethod<AnyMethod>(
      ChildProcess.prototype,
      'kill',
      (kill) =>
        ({
          kill(this: ChildProcess, ...args: unknown[]): unknown {
            if (this.exitCode === null && this.signalCode === null) before(this.pid, args[0]);
            return apply(kill, this, args);
          },
        }).kill as AnyMethod,
    ),
  ]);
}
