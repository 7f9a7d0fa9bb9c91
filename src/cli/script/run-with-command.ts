import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { attempt } from '../../base/attempt.js';
import { chosenProcess } from '../../client/processes.js';
import { SCRIPT_FILES } from '../../port/script-folder.js';
import { isGone } from '../is-gone.js';
import { complain } from '../output.js';
import { preloadOptions } from '../record/preload.js';
import { type Ending, endOf, runCommand } from '../record/run-command.js';
import { runningInstead } from '../running-instead.js';
import { type AskedScript, printScript, sourceOf } from './run-script.js';
import { ScriptSession } from './script-session.js';

/** Milliseconds between looks for the process that runs the script. */
const LOOK = 10;

/**
 * Starts a command, and runs a script in the first Node process of it from that process's first module on. Its end is the
 * script's, and the script's end ends it.
 */
export async function runWithCommand(script: AskedScript, command: string, output: string | undefined): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-script-'));
  try {
    writeFileSync(join(folder, SCRIPT_FILES.source), sourceOf(script), { mode: 0o600 });
    const env = {
      ...process.env,
      NODE_OPTIONS: preloadOptions(process.env['NODE_OPTIONS']),
      FENTRY: `${process.env['FENTRY'] ?? ''} script=${pathToFileURL(folder).href}`.trim(),
    };
    const kill = new AbortController();
    const running = runCommand(['/bin/sh', '-c', command], env, complain, { end: kill.signal });
    const pid = await processIn(folder, running);
    if (pid === undefined) {
      const ending = await running;
      complain(`'${command}' ran no Node process in which the script could run${await runningInstead()}`);
      return codeOf(ending, command) || 1;
    }
    const session = await sessionWith(pid, script.language, running);
    const { hasFailed, withProgram } = await printScript(session, { output, until: running });
    if (!withProgram) kill.abort();
    const ending = await running;
    const code = codeOf(ending, command, kill.signal.aborted);
    if (script.language === 'bpftrace' || code === 0) return code || Number(hasFailed);
    process.stderr.write(`WARNING: Child process exited with status ${code}\n`);
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The process that runs the script of a folder; undefined if the command ends without one. */
async function processIn(folder: string, running: Promise<unknown>): Promise<number | undefined> {
  let isOver = false;
  void running.then(() => {
    isOver = true;
  });
  for (;;) {
    // A process of the command may outlive it.
    const wasOver = isOver;
    const pid = attempt(() => readFileSync(join(folder, SCRIPT_FILES.pid), 'utf8'));
    if (pid !== undefined) return Number(pid);
    if (wasOver) return undefined;
    await sleep(LOOK);
  }
}

/** The process listens when its script has begun. */
async function sessionWith(pid: number, language: string, running: Promise<unknown>): Promise<ScriptSession> {
  let isOver = false;
  void running.then(() => {
    isOver = true;
  });
  for (;;) {
    const wasOver = isOver;
    try {
      const { socketPath } = await chosenProcess(pid);
      return await ScriptSession.join(socketPath, language, SCRIPT_FILES.name);
    } catch (error) {
      if (!isGone(error) || wasOver) throw error;
    }
    await sleep(LOOK);
  }
}

/** @param isEnded the script's end has ended the command */
function codeOf(ending: Ending, command: string, isEnded = false): number {
  if (isEnded && 'signal' in ending) return 0;
  return endOf(ending, command.split(' ')[0], complain);
}
