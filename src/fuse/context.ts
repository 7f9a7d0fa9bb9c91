import { readFileSync } from 'node:fs';
import type { SessionCaller } from '../base/session-protocol.js';
import type { Attributes } from './attributes.js';
import type { FuseChannel, FuseRequest } from './device.js';
import type { DirectoryListings } from './directory-listings.js';
import type { MountedFiles } from './mounted-files.js';
import type { Nodes } from './nodes.js';
import type { Tree } from './tree.js';

/** The shared data of the operations of one mount. */
export interface Mount {
  readonly channel: FuseChannel;
  readonly tree: Tree;
  readonly nodes: Nodes;
  readonly attributes: Attributes;
  readonly files: MountedFiles;
  readonly listings: DirectoryListings;
  /** The kernel's minor version of the protocol. */
  minor: number;
}

/** The parts of an answer after its header. */
export type Reply = readonly Uint8Array[];

/**
 * Answers one request. It sends its first request to the tree before it returns, so requests reach the process in the order in
 * which the kernel sent them.
 * @param signal aborts when the kernel interrupts the request
 */
export type Operation = (mount: Mount, request: FuseRequest, signal: AbortSignal) => Reply | Promise<Reply>;

export const NOTHING: Reply = [];

/** The name at the beginning of a request's body, which ends with a zero byte. */
export function nameIn(body: Buffer, at = 0): string {
  return body.toString('utf8', at, body.indexOf(0, at));
}

/** The task that made a request. Its comm is read while it waits for the answer, so the task is still there. */
export function callerOf({ pid }: FuseRequest): SessionCaller {
  try {
    return { pid, comm: readFileSync(`/proc/${pid}/comm`, 'utf8').trimEnd() };
  } catch {
    return { pid, comm: '<...>' };
  }
}
