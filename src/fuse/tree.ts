import { TraceError } from '../base/errno.js';
import type { FileSession } from '../client/file-session.js';

/** The files that are served: those of a process, through its file session. */
export type Tree = Pick<FileSession, 'request'>;

/** What a process that has ended answers. */
export const treeOfNobody: Tree = { request: () => Promise.reject(new TraceError('ENODEV')) };
