/**
 * What `fentry attach` loads into a running program. It is a separate bundle, so that the code that only an attached agent needs
 * costs a preloaded one nothing.
 */

import * as inspector from 'node:inspector';
import { setImmediate, setTimeout } from 'node:timers';
import { BroadcastChannel, isMainThread, receiveMessageOnPort } from 'node:worker_threads';
import { asTraceError, type Errno } from '../../base/errno.js';
import { pause } from '../../base/pause.js';
import { prepareSocket } from '../../base/prepare-socket.js';
import { unharmed } from '../async/unharmed.js';
import { type ProcessShare, shareName } from '../shared/protocol.js';
import { agentOf } from './agent-property.js';
import { breakpointCells } from './attached-cells.js';
import { launchAgent } from './start.js';

/** After so many turns of the event loop, no opening can be pending: one turn handles all that was requested before it began. */
const TURNS = 3;
/** How long the command that opened it has to close it, in milliseconds. */
const CLOSING_PATIENCE = 2000;

const close = (): void => (process as unknown as { _debugEnd(): void })._debugEnd();

/**
 * Makes sure that the inspector that a signal opened does not stay open. Node opens it in an interrupt of a busy thread, and
 * again when that thread's event loop turns: by then the command has closed the first one. The command closes the second one
 * too; this code closes it if the command has ended.
 */
function closeInspector(): void {
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
    CLOSING_PATIENCE,
  ).unref();
}

/** What the command tells the agent. */
export interface AttachRequest {
  /** Where to put the control socket. */
  readonly socketPath: string;
  /** The inspector was opened for this, and must be closed. */
  readonly closesInspector: boolean;
}

/** The answer, as JSON: `attached`, or the reason why not. */
export type AttachAnswer = { readonly attached: true } | { readonly errno: Errno; readonly message: string };

/** Starts the agent in this thread. Called through the inspector, at any moment of the program. */
export function attach({ socketPath, closesInspector }: AttachRequest): string {
  if (closesInspector) closeInspector();
  return JSON.stringify(answer(socketPath));
}

/** How long a worker waits for the control thread, in milliseconds. */
const PATIENCE = 2000;

/** Starts the agent in a worker, for the control thread of the process with this nonce; does nothing if that has ended. */
export function attachWorker(nonce: string): void {
  const channel = new BroadcastChannel(shareName(nonce));
  try {
    const share = ask(channel);
    if (share === undefined || agentOf(process) !== undefined) return;
    launchAgent({ parameters: {}, share, isAsked: false, attached: breakpointCells });
  } catch {
    // Whatever went wrong: the program comes first.
  } finally {
    channel.close();
  }
}

/** The worker may be busy: it waits here, without its event loop. */
function ask(channel: BroadcastChannel): ProcessShare | undefined {
  channel.postMessage('share');
  for (const end = performance.now() + PATIENCE; performance.now() < end; pause(1)) {
    const { message } = (receiveMessageOnPort(channel as never) ?? {}) as { message?: ProcessShare | 'share' };
    if (typeof message === 'object') return message;
  }
  return undefined;
}

function answer(socketPath: string): AttachAnswer {
  const known = agentOf(process);
  // A program that was expected to end soon, and has not.
  if (known?.startControl?.() === true) return { attached: true };
  if (known !== undefined) return { errno: 'EEXIST', message: 'fentry runs in it already' };
  if (!isMainThread) return { errno: 'EACCES', message: 'this is not the main thread' };
  try {
    prepareSocket(socketPath, process.geteuid?.() ?? 0);
  } catch (error) {
    const { errno, message } = asTraceError(error);
    return { errno, message };
  }
  try {
    launchAgent({ parameters: {}, share: undefined, socketPath, isAsked: false, attached: breakpointCells });
    return { attached: true };
  } catch (error) {
    return { errno: 'EACCES', message: String((error as Error)?.stack ?? error) };
  }
}
