import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { attempt } from '../../base/attempt.js';
import { asTraceError, type Errno, TraceError } from '../../base/errno.js';
import { listens } from '../../base/listens.js';
import { prepareSocket } from '../../base/prepare-socket.js';
import { socketDirectory, socketPath } from '../../base/socket-directory.js';
import { whileWorking } from '../while-working.js';

const HOST = fileURLToPath(new URL('native.cjs', import.meta.url));

/**
 * V8 collects young garbage when this much is used, here 16 MB, and before a stop (process/stop.ts): not while a process stands
 * still.
 */
const FLAGS = ['--min-semi-space-size=16', '--expose-gc'];

/** What the host says when it has tried. */
interface Answer {
  readonly errno?: Errno;
  readonly message?: string;
}

/** A process that is held at its entry point, and the host that traces it. */
export interface HostedProcess {
  /** The path of its control socket. */
  readonly socket: string;
  /** Lets the process go on. */
  release(): void;
  /** Lets the host end when the process has ended. Until then its files can be read. */
  end(): void;
}

/**
 * Starts the process that traces a native process, and returns the path of its control socket. It goes on when this one ends.
 * @throws TraceError if it is refused; EEXIST if the process is traced already
 */
export async function attachNative(pid: number): Promise<string> {
  const { socket, host } = await startHost(pid);
  if (host.connected) host.disconnect();
  return socket;
}

/**
 * Attaches to a process that was stopped at its first instruction: it is held at the entry point of its executable.
 * @throws TraceError if it is refused; ENOEXEC if it is no executable for this machine, ESRCH if it ends before it comes there
 */
export async function attachHeld(pid: number): Promise<HostedProcess> {
  const { socket, host } = await startHost(pid, 'held');
  return {
    socket,
    release: () => void (host.connected && host.send('release')),
    end: () => void attempt(() => host.disconnect()),
  };
}

/** Whether a host answers. The system lets one that was killed listen for some more milliseconds. */
async function answers(pid: number, socket: string): Promise<boolean> {
  if (!(await listens(socket))) return false;
  const { TraceClient } = await import('../../client/trace-client.js');
  return new TraceClient(pid, socket).read('attached').then(
    () => true,
    (error) => asTraceError(error).errno !== 'ENODEV',
  );
}

async function startHost(
  pid: number,
  ...words: readonly 'held'[]
): Promise<{ readonly socket: string; readonly host: ChildProcess }> {
  const uid = process.geteuid?.() ?? 0;
  const directory = socketDirectory(process.env, uid);
  const socket = socketPath(directory, pid);
  if (await answers(pid, socket)) throw new TraceError('EEXIST', `fentry is already in process ${pid}`);
  prepareSocket(socket, uid);
  // Certificates take as long to load as all else.
  const { NODE_OPTIONS: _options, NODE_EXTRA_CA_CERTS: _certificates, FENTRY: _parameters, ...env } = process.env;
  const host = spawn(process.execPath, [...FLAGS, HOST, String(pid), socket, ...words], {
    cwd: '/',
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const answered = once(host, 'message').then(([answer]) => answer as Answer);
  const ended = once(host, 'exit').then(
    () => ({ errno: 'EIO', message: 'the process that was to trace it has ended' }) as Answer,
  );
  const what = `attaching to process ${pid}`;
  const { errno, message } = await whileWorking(socket, what, () => Promise.race([answered, ended]));
  host.unref();
  host.channel?.unref();
  if (errno === undefined) return { socket, host };
  if (host.connected) host.disconnect();
  throw new TraceError(errno, message);
}
