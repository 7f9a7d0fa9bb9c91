import { TraceError } from '../base/errno.js';
import type { FileSession } from '../client/file-session.js';

/** The served files: those of a process, through its file session. */
export type Tree = Pick<FileSession, 'request'>;

/** The answer of a process that has ended. */
export const treeWithoutProcess: Tree = { request: () => Promise.reject(new TraceError('ENODEV')) };
