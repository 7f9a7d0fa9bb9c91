import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Errno, TraceError } from '../../base/errno.js';
import { makeSocketDirectory, socketDirectory, socketPath } from '../../base/socket-directory.js';
import { listens } from '../../client/processes.js';

const HOST = fileURLToPath(new URL('native.cjs', import.meta.url));

/** What the host says when it has tried. */
interface Answer {
  readonly errno?: Errno;
  readonly message?: string;
}

/**
 * Starts the process that traces a native process, and returns the path of its control socket. It goes on when this one ends.
 * @throws TraceError if it is refused; EEXIST if the process is traced already
 */
export async function attachNative(pid: number): Promise<string> {
  const uid = process.geteuid?.() ?? 0;
  const directory = socketDirectory(process.env, uid);
  const socket = socketPath(directory, pid);
  if (await listens(socket)) throw new TraceError('EEXIST', `fentry is already in process ${pid}`);
  makeSocketDirectory(directory, uid);
  const { NODE_OPTIONS: _options, FENTRY: _parameters, ...env } = process.env;
  const host = spawn(process.execPath, [HOST, String(pid), socket], {
    cwd: '/',
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const answered = once(host, 'message').then(([answer]) => answer as Answer);
  const ended = once(host, 'exit').then(
    () => ({ errno: 'EIO', message: 'the process that was to trace it has ended' }) as Answer,
  );
  const { errno, message } = await Promise.race([answered, ended]);
  host.unref();
  if (host.connected) host.disconnect();
  if (errno !== undefined) throw new TraceError(errno, message);
  return socket;
}
