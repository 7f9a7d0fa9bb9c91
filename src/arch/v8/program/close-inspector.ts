import * as inspector from 'node:inspector';
import { setImmediate, setTimeout } from 'node:timers';
import { unharmed } from './unharmed.js';

/** Turns of the event loop after which no opening can be under way any more; one takes all that was asked for before it began. */
const TURNS = 3;
/** How long the command that opened it has to close it, in milliseconds. */
const PATIENCE = 2000;

const close = (): void => (process as unknown as { _debugEnd(): void })._debugEnd();

/**
 * Has the inspector that a signal opened not stay open. Node opens it in an interrupt of a busy thread, and once more when that
 * thread's event loop turns: by then the command has closed the first. It closes that too, here only should it have ended.
 */
export function closeInspector(): void {
  const first = inspector.url();
  const look = (turns: number): void => {
    setImmediate(
      unharmed(() => {
        const now = inspector.url();
        if (now !== undefined && now !== first) close();
        if (turns > 1) look(turns - 1);
      }),
    ).unref();
  };
  look(TURNS);
  setTimeout(
    unharmed(() => {
      if (first !== undefined && inspector.url() === first) close();
    }),
    PATIENCE,
  ).unref();
}
