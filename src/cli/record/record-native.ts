import type { ChildProcess } from 'node:child_process';
import { chosenProcess } from '../../client/processes.js';
import { attachHeld, type HostedProcess } from '../attach/attach-native.js';
import { type RunningOptions, recordProcesses } from './record-processes.js';
import { awaitEnd, type Ending, refusedCode } from './run-command.js';
import { limitText } from './size-limits.js';
import { CommandError, startStopped } from './start-stopped.js';
import { keepTerminalSettings } from './terminal-settings.js';

/**
 * Runs a native program and records it from its entry point until it ends. If it cannot be traced, it is not run.
 * Rejects with a TraceError then.
 */
export async function recordNative(command: readonly string[], options: RunningOptions): Promise<Ending> {
  const { complain, output, limits } = options;
  const restoreTerminal = keepTerminalSettings();
  let child: ChildProcess;
  try {
    child = await startStopped(command);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    complain(`${command[0]}: ${error.message}`);
    return { code: refusedCode(error.isMissing), began: false };
  }
  const ended = awaitEnd(child, restoreTerminal);
  let held: HostedProcess | undefined;
  try {
    held = await attachHeld(child.pid!);
    const { release } = held;
    const process = await chosenProcess(child.pid);
    complain(`recording into ${output}${limitText(limits)}`);
    let ending: Ending | undefined;
    await recordProcesses([process], { ...options, untilTheirEnd: true }, async () => {
      release();
      ending = await ended;
    });
    return ending ?? (await ended);
  } catch (error) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    // It has ended by itself before its entry point: its dynamic linker has said why.
    else if (held === undefined) return ended;
    throw error;
  } finally {
    held?.end();
  }
}
