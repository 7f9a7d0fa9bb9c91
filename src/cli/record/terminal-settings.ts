import { spawnSync } from 'node:child_process';
import { isatty } from 'node:tty';

/** Bounds the time that a terminal may take which answers nobody, in milliseconds. */
const PATIENCE = 2000;

/** SIGTTOU is ignored, because a process in the background may not change its terminal otherwise. */
const STTY = `trap '' TTOU; exec stty "$1"`;

/** Runs stty(1) on the terminal; undefined where it is not installed. */
function stty(word: string): string | undefined {
  const { status, stdout } = spawnSync('/bin/sh', ['-c', STTY, 'sh', word], {
    stdio: ['inherit', 'pipe', 'ignore'],
    encoding: 'utf8',
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Reads the settings of the terminal that is this process's stdin. Returns a function that restores them if something has changed
 * them: a command that is ended by a signal leaves the terminal as it was, for example raw and without an echo.
 *
 * Node restores it when it ends by itself, but not when it ends by a signal that it has listened to.
 */
export function keepTerminalSettings(): () => void {
  const settings = isatty(0) ? stty('-g') : undefined;
  return () => {
    if (settings !== undefined && stty('-g') !== settings) stty(settings);
  };
}
