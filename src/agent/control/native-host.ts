/**
 * The control side of a native process, as a process of its own: `node native.cjs PID SOCKET`. It tells the process that started it when it
 * can be reached, or why not.
 */
import { unlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { NativePort } from '../../arch/native/control/native-port.js';
import { attempt } from '../../base/attempt.js';
import { asTraceError } from '../../base/errno.js';
import { ControlThread } from './control-thread.js';

/** How long what a process has left can be read after its end, in milliseconds. */
const AFTERWARDS = 3000;

const [pid = '', socketPath = ''] = process.argv.slice(2);

/** Tells the process that started this one, which then goes on without it. */
function tell(message: { readonly errno?: string; readonly message?: string }): void {
  process.send?.(message, () => process.disconnect());
}

async function end(): Promise<void> {
  await sleep(AFTERWARDS);
  attempt(() => unlinkSync(socketPath));
  process.exit();
}

async function run(): Promise<void> {
  const data = { parameters: {}, socketPath, isAttached: true, isAsked: false };
  const state = { mayListen: () => true, listens: () => tell({}), ends() {} };
  const gone = (): void => void end();
  await new ControlThread(data, state, (listener) => new NativePort(Number(pid), listener, { gone })).run();
}

run().catch((error) => {
  const { errno, message } = asTraceError(error);
  tell({ errno, message });
});
