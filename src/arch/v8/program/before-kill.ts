import type { ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { askForLastPages } from '../../../recording/last-pages.js';
import { replaceMethod } from '../realm/lookalike.js';
import { type Undo, undoAll } from '../realm/undo.js';

type AnyMethod = (this: unknown, ...args: unknown[]) => unknown;

const USUAL = 'SIGTERM';
const { apply } = Reflect;

/**
 * Before the program ends a process of the recording by a signal, that process's last pages are written: a runner of tests ends its
 * workers so. Returns what takes it back.
 */
export function followKills(folder: string): Undo {
  const before = (pid: unknown, signal: unknown = USUAL): void => {
    if (typeof pid !== 'number') return;
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
            return apply(kill, this, args);
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
