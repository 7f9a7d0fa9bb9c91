import { connect } from 'node:net';

/** The answers where nobody listens: there is no such socket, or can be none of that name. */
const NOBODY: readonly string[] = ['ECONNREFUSED', 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EINVAL', 'ELOOP'];

/** Whether a process listens on the socket. */
export function listens(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const answer = (value: boolean) => {
      socket.destroy();
      resolve(value);
    };
    socket.once('connect', () => answer(true));
    // A full backlog (EAGAIN) means that a process listens, too.
    socket.once('error', (error: NodeJS.ErrnoException) => answer(!NOBODY.includes(error.code ?? '')));
  });
}
