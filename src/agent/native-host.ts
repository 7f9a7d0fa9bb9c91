/**
 * The control side of a native process, as a process of its own: `node native.cjs PID SOCKET [held]`, which loads this
 * (native-start.ts). It tells the process that started it when it can be reached, or why not. A process that is held waits at its
 * entry point until it is to be released; its files can be read as long as who started this stays connected.
 */
import { once } from 'node:events';
import { readlinkSync, unlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { attempt } from '../base/attempt.js';
import { cacheFolder } from '../base/cache/cache-path.js';
import { asTraceError } from '../base/errno.js';
import { ProgressFile, progressPath } from '../base/progress-file.js';
import { ControlThread } from '../control/tree/control-thread.js';
import { LocalProcess } from '../native/addon/local-process.js';
import { checkRuntimes } from '../native/control/check-runtimes.js';
import { NativePort } from '../native/control/native-port.js';
import { remoteTarget } from '../native/control/native-target.js';
import { debtsSettled, startGuard } from '../native/process/guard.js';
import { type HeldProcess, holdAtEntry } from '../native/process/hold.js';
import { ProcessMemory } from '../native/process/process-memory.js';

/** How long what a process has left can be read after its end, in milliseconds. */
const AFTERWARDS = 3000;

const [pid = '', socketPath = '', mode] = process.argv.slice(2);
const isHeld = mode === 'held';
const progress = new ProgressFile(progressPath(socketPath));
process.once('exit', () => progress.end());

/** Tells the process that started this one, which then goes on without it, unless it holds the process. */
function tell(message: { readonly errno?: string; readonly message?: string }): void {
  const isOver = !isHeld || message.errno !== undefined;
  process.send?.(message, () => isOver && process.connected && process.disconnect());
}

async function end(): Promise<void> {
  if (isHeld && process.connected) await once(process, 'disconnect');
  else await sleep(AFTERWARDS);
  attempt(() => unlinkSync(socketPath));
  process.exit();
}

async function hold(): Promise<HeldProcess> {
  checkRuntimes(Number(pid));
  const held = await holdAtEntry(new ProcessMemory(Number(pid)));
  const { release } = held;
  process.once('message', release);
  process.once('disconnect', release);
  return held;
}

async function run(): Promise<void> {
  const guard = fileURLToPath(new URL('native-guard.cjs', import.meta.url));
  await debtsSettled(guard, Number(pid));
  startGuard(new LocalProcess(), guard, Number(pid));
  const held = isHeld ? await hold() : undefined;
  const folder = attempt(() => readlinkSync(`/proc/${pid}/cwd`));
  const data = { parameters: {}, folder, socketPath, isAttached: true, isAsked: false };
  const cannotListen = ({ message }: Error): void => tell({ errno: 'EIO', message: `there is no control socket: ${message}` });
  const state = {
    mayListen: () => true,
    listens: () => tell({}),
    cannotListen,
    endsWithProgram: false,
    hasClients: () => true,
    ends() {},
  };
  const options = {
    cacheFolder: cacheFolder(process.env),
    stacks: fileURLToPath(new URL('native-stacks.cjs', import.meta.url)),
  };
  const gone = (): void => void end();
  const control = new ControlThread(
    data,
    state,
    (listener) => new NativePort({ ...remoteTarget(Number(pid), options, held?.room), progress }, listener, gone),
  );
  held?.restore();
  await control.run();
}

run().catch((error) => {
  const { errno, message } = asTraceError(error);
  tell({ errno, message });
});
