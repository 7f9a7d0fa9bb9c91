/**
 * What `fentry attach` loads into a program that runs already. A bundle of its own: what only a late agent needs costs a
 * preloaded one nothing.
 */
import { isMainThread } from 'node:worker_threads';
import { agentOf } from './agent-property.js';
import { breakpointCells } from './late-cells.js';
import { launchAgent } from './start.js';

/** What the command tells the agent. */
export interface AttachRequest {
  /** Where the control socket is to be. */
  readonly socketPath: string;
}

/** What it gets back, as JSON: `attached`, or why not. */
export type AttachAnswer = { readonly attached: true } | { readonly errno: 'EEXIST' | 'EACCES'; readonly message: string };

/** Starts the agent in this thread. Called through the inspector, at any moment of the program. */
export function attach({ socketPath }: AttachRequest): string {
  return JSON.stringify(answer(socketPath));
}

function answer(socketPath: string): AttachAnswer {
  if (agentOf(process) !== undefined) return { errno: 'EEXIST', message: 'fentry runs in it already' };
  if (!isMainThread) return { errno: 'EACCES', message: 'this is not the main thread' };
  try {
    launchAgent({ parameters: {}, share: undefined, socketPath, isAsked: false, isLate: true, late: { cells: breakpointCells } });
    return { attached: true };
  } catch (error) {
    return { errno: 'EACCES', message: String((error as Error)?.stack ?? error) };
  }
}
