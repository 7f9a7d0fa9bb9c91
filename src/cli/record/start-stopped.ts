import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { getSystemErrorMap } from 'node:util';
import { attempt } from '../../base/attempt.js';
import { TraceError } from '../../base/errno.js';
import { LocalProcess } from '../../native/addon/local-process.js';
import { LAUNCHER_ERROR_FD, launcherFile } from '../../native/process/launcher.js';
import { threadState } from '../../native/process/tasks.js';

/** How long a program has to stop at its first instruction, in milliseconds; it does at once. */
const PATIENCE = 2000;

/** Why a command cannot be run. */
export class CommandError extends Error {
  /** Whether the program is not there, as opposed to: it cannot be run. */
  readonly isMissing: boolean;

  constructor(message: string, isMissing: boolean) {
    super(message);
    this.isMissing = isMissing;
  }
}

/** The path of the file that a shell would run for a word. @throws CommandError */
export function commandPath(word: string, path = process.env['PATH'] ?? ''): string {
  const candidates = word.includes('/') ? [word] : path.split(delimiter).map((folder) => join(folder || '.', word));
  const files = candidates.filter((file) => attempt(() => statSync(file).isFile()));
  const found = files.find(canRun);
  if (found !== undefined) return found;
  if (files.length > 0 || attempt(() => statSync(word)) !== undefined) throw new CommandError('permission denied', false);
  throw new CommandError('command not found', true);
}

function canRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a command with this process's streams, stopped (SIGSTOP) at its first instruction.
 * @throws CommandError when it cannot be run
 */
export async function startStopped([word = '', ...args]: readonly string[]): Promise<ChildProcess> {
  const path = commandPath(word);
  const child = spawn(launcherPath(), [path, word, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  });
  const told: Buffer[] = [];
  for await (const chunk of child.stdio[LAUNCHER_ERROR_FD] as Readable) told.push(chunk as Buffer);
  const error = Buffer.concat(told);
  if (error.length > 0) {
    throw new CommandError(errorText(error.readInt32LE()), false);
  }
  await stopped(child.pid!);
  return child;
}

/** Node has no words for ENOEXEC. */
const ENOEXEC = 8;

const errorText = (errno: number): string =>
  errno === ENOEXEC
    ? 'no executable that this system runs, and no script that begins with #!'
    : (getSystemErrorMap().get(-errno)?.[1] ?? `errno ${errno}`);

let launcher: string | undefined;

/** The launcher as a file that can be run, wherever files may be run from. */
function launcherPath(): string {
  if (launcher !== undefined) return launcher;
  launcher = `/proc/${process.pid}/fd/${new LocalProcess().memoryFile(launcherFile())}`;
  return launcher;
}

async function stopped(pid: number): Promise<void> {
  const end = performance.now() + PATIENCE;
  for (;;) {
    const state = threadState(pid, pid);
    if (state === 'T') return;
    if (state === undefined || state === 'Z' || performance.now() > end) {
      throw new TraceError(
        'EBUSY',
        'the program did not stop at its first instruction: it may have more privileges than this user',
      );
    }
    await sleep(1);
  }
}
