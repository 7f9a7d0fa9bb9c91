/** The headers between fentry's client and the socket of a process; docs/agent.md describes them. */
export const HEADER = {
  /** Of an answer: the name of the errno. */
  errno: 'fentry-errno',
  /** Of a request: which task the client is. */
  pid: 'fentry-pid',
  comm: 'fentry-comm',
  /** Of a request, at 1: read as with O_NONBLOCK, to where the file would wait. */
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
