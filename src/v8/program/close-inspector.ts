import * as inspector from 'node:inspector';
import { setImmediate, setTimeout } from 'node:timers';
import { unharmed } from '../async/unharmed.js';

/** After so many turns of the event loop, no opening can be pending: one turn handles all that was requested before it began. */
const TURNS = 3;
/** How long the command that opened it has to close it, in milliseconds. */
const PATIENCE = 2000;

const close = (): void => (process as unknown as { _debugEnd(): void })._debugEnd();

/**
 * Makes sure that the inspector that a signal opened does not stay open. Node opens it in an interrupt of a busy thread, and
 * again when that thread's event loop turns: by then the command has closed the first one. The command closes the second one
 * too; this code closes it if the command has ended.
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
