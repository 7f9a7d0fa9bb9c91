import { connect } from 'node:net';

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
    socket.once('error', (error: NodeJS.ErrnoException) => answer(!['ECONNREFUSED', 'ENOENT'].includes(error.code ?? '')));
  });
}
