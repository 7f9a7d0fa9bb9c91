/** The headers between fentry's client and the socket of a process; docs/agent.md describes them. */
export const HEADER = {
  /** The name of the errno, in an answer. */
  errno: 'fentry-errno',
  /** The pid of the client's task, in a request. */
  pid: 'fentry-pid',
  comm: 'fentry-comm',
  /** A request's wish, if it is 1: read as with O_NONBLOCK, to where the file would wait. */
  nonblock: 'fentry-nonblock',
} as const;

/** One entry in the listing of a directory. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory';
  /** Permission bits. */
  readonly mode: number;
  readonly size: number;
}
