import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { keepTerminalSettings } from './terminal-settings.js';

/** How a command ended: by itself with a code, by a signal, or before it began (with the code that a shell gives it). */
export type Ending = { readonly code: number; readonly began: boolean } | { readonly signal: NodeJS.Signals };

/** Signals that are passed on to the command. */
const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
/** Signals that a terminal sends to the command as well. */
const FROM_TERMINAL: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT']);

/** Exit codes of a shell for a command that cannot be run. */
const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;

/** What else a command gets. */
export interface CommandExtras {
  /** Becomes its file descriptor 3. */
  readonly third?: number;
  /** Called before a signal is passed on to it. */
  readonly beforeSignal?: (pid: number, signal: NodeJS.Signals) => void;
  /** Ends the command by SIGTERM when it aborts. */
  readonly end?: AbortSignal;
}

/**
 * Passes signals on to a child, and resolves when it has ended.
 * @param restoreTerminal called when a signal has ended it
 */
export function awaitEnd(
  child: ChildProcess,
  restoreTerminal: () => void,
  beforeSignal?: CommandExtras['beforeSignal'],
): Promise<Ending> {
  const forward = (signal: NodeJS.Signals): void => {
    if (FROM_TERMINAL.has(signal) && process.stdin.isTTY) return;
    if (child.pid !== undefined) beforeSignal?.(child.pid, signal);
    child.kill(signal);
  };
  const over = (): void => {
    for (const signal of FORWARDED) process.off(signal, forward);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  child.once('error', over);
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      over();
      if (signal !== null) restoreTerminal();
      resolve(signal === null ? { code: code ?? 0, began: true } : { signal });
    });
  });
}

/** The exit code that a shell gives to a command that cannot be run. */
export const refusedCode = (isMissing: boolean): number => (isMissing ? NOT_FOUND : NOT_RUNNABLE);

/** For a file that is no command: `record app.js` is easily typed for `record node app.js`. */
const howToRun = (file: string): string =>
  /\.[cm]?[jt]sx?$/.test(file) && existsSync(file) ? `; a file is run by a command: node ${file}` : '';

/** Runs a command with this process's streams, passes signals on, and resolves when it has ended. */
export function runCommand(
  [file, ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  complain: (message: string) => void,
  { third, beforeSignal, end }: CommandExtras = {},
): Promise<Ending> {
  const restoreTerminal = keepTerminalSettings();
  const child = spawn(file ?? '', args, {
    stdio: third === undefined ? 'inherit' : ['inherit', 'inherit', 'inherit', third],
    env,
  });
  const ended = awaitEnd(child, restoreTerminal, beforeSignal);
  end?.addEventListener('abort', () => child.kill('SIGTERM'));
  const refused = new Promise<Ending>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return;
      const words = getSystemErrorMap().get(error.errno ?? 0)?.[1] ?? error.message;
      const isMissing = error.code === 'ENOENT';
      complain(`${file}: ${isMissing ? 'command not found' : words}${howToRun(file ?? '')}`);
      resolve({ code: refusedCode(isMissing), began: false });
    });
  });
  return Promise.race([ended, refused]);
}

/**
 * The exit code of a command, as `exitCodeOf` has it; says first that a signal has ended the command. @param word the command's
 * name
 */
export function endOf(ending: Ending, word: string | undefined, complain: (message: string) => void): number {
  if ('signal' in ending) complain(`${word} was ended by ${ending.signal}`);
  return exitCodeOf(ending);
}

/**
 * Ends this process as the command ended: by the same signal, or with the exit code that a shell gives it, 128 and the signal's
 * number.
 */
export function exitCodeOf(ending: Ending): number {
  if ('code' in ending) return ending.code;
  if (!KEPT_SIGNALS.has(ending.signal)) process.kill(process.pid, ending.signal);
  return 128 + (constants.signals[ending.signal] ?? 0);
}

/** Signals by which this process does not end: a core file of it would be of no use, SIGUSR1 would start Node's debugger. */
const KEPT_SIGNALS: ReadonlySet<NodeJS.Signals> = new Set([
  'SIGKILL',
  'SIGUSR1',
  'SIGQUIT',
  'SIGILL',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGSEGV',
  'SIGTRAP',
]);
