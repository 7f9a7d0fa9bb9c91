import { TraceError } from '../../base/errno.js';
import { MAX_READ_BYTES, type SessionOperation } from '../../base/session-protocol.js';
import type { TraceDirectory, TraceNode } from '../tracefs/node.js';
import { lookup, mkdir, rmdir } from '../tracefs/path.js';
import { type Arguments, callerArgument, flagsArgument, numberArgument, stringArgument, switchArgument } from './arguments.js';
import { directoryEntries } from './list-directory.js';
import type { OpenFile } from './open-file.js';
import type { OpenFiles } from './open-files.js';
import type { UndoSteps } from './undo-steps.js';

/** What an operation works on. */
export interface RequestNeeds {
  readonly root: TraceDirectory;
  readonly files: OpenFiles;
  readonly undo: UndoSteps;
  readonly args: Arguments;
  readonly body: Uint8Array;
  /** Aborts when the client cancels the request or disconnects. */
  readonly request: AbortController;
}

/** What the client gets: members of the answer's header, and bytes. */
export interface Answer {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly body?: Uint8Array;
}

/** Runs one operation; may throw or reject with a TraceError. */
type Operation = (context: RequestNeeds) => Answer | Promise<Answer | undefined> | undefined;

/** The operations of a session, except `cancel`, which is about another request. */
export const OPERATIONS: Readonly<Record<Exclude<SessionOperation, 'cancel'>, Operation>> = {
  stat({ root, args }) {
    const node = lookup(root, stringArgument(args, 'path'));
    return { header: { kind: node.kind, mode: node.mode, size: sizeOf(node), nlink: linksOf(node) } };
  },
  list({ root, args }) {
    const node = lookup(root, stringArgument(args, 'path'));
    if (node.kind !== 'directory') throw new TraceError('ENOTDIR');
    return { header: { entries: directoryEntries(node) } };
  },
  async mkdir({ root, undo, args }) {
    const path = stringArgument(args, 'path');
    await (switchArgument(args, 'temporary') ? undo.mkdir(path) : mkdir(root, path));
    return undefined;
  },
  async rmdir({ root, args }) {
    await rmdir(root, stringArgument(args, 'path'));
    return undefined;
  },
  async open({ root, files, args, request }) {
    const node = lookup(root, stringArgument(args, 'path'));
    if (node.kind !== 'file') throw new TraceError('EISDIR');
    const handle = await files.open(() => node.open(flagsArgument(args), callerArgument(args)));
    // The client has disconnected, so the file would never be closed.
    if (request.signal.aborted) {
      await files.release(handle);
      throw new TraceError('EINTR');
    }
    return { header: { handle } };
  },
  async read({ files, args, request }) {
    const size = numberArgument(args, 'size', MAX_READ_BYTES);
    const offset = args['offset'] === undefined ? undefined : numberArgument(args, 'offset');
    return { body: await fileOf(files, args).read({ size, offset, nonblock: switchArgument(args, 'nonblock') }, request) };
  },
  async write({ files, args, body }) {
    await fileOf(files, args).write(body, args['pid'] === undefined ? undefined : callerArgument(args));
    return undefined;
  },
  async flush({ files, args }) {
    await fileOf(files, args).flush();
    return undefined;
  },
  poll: ({ files, args }) => ({ header: { readable: fileOf(files, args).isReadable() } }),
  async wait({ files, args, request }) {
    await fileOf(files, args).untilReadable(request);
    return undefined;
  },
  async release({ files, args }) {
    await files.release(numberArgument(args, 'handle'));
    return undefined;
  },
  undo({ undo, args }) {
    undo.set(args['steps']);
    return undefined;
  },
};

const fileOf = (files: OpenFiles, args: Arguments): OpenFile => files.get(numberArgument(args, 'handle'));

/** A directory is linked by its parent, by itself and by each directory in it. */
const linksOf = (node: TraceNode): number => (node.kind === 'file' ? 1 : 2 + node.subdirectories());

const sizeOf = (node: TraceNode): number => (node.kind === 'file' ? (node.size ?? 0) : 0);
