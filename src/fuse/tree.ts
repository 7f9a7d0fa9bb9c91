import type { FileSession } from '../client/file-session.js';

/** The files that are served: those of a process, through its file session. */
export type Tree = Pick<FileSession, 'request'>;
