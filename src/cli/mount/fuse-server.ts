import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./fuse.js', import.meta.url));

/** The server as a command line. */
export const serverCommand = (socketPath: string, directory?: string): readonly string[] => [
  process.execPath,
  PROGRAM,
  socketPath,
  ...(directory === undefined ? [] : [directory]),
];

/** How the server is run. */
export interface ServerOptions {
  readonly socketPath: string;
  /** /dev/fuse, open. */
  readonly device: number;
  /** Where it is mounted, for a server that unmounts itself when the traced process ends. */
  readonly directory?: string;
  /** Lives on when this process ends. */
  readonly detached: boolean;
}

/** Starts the process that answers the kernel's requests. It keeps no directory busy and traces nothing of itself. */
export function startFuseServer({ socketPath, device, directory, detached }: ServerOptions): ChildProcess {
  const { NODE_OPTIONS: _options, FENTRY: _parameters, ...env } = process.env;
  const errors = detached ? 'ignore' : 'inherit';
  const [node = '', ...args] = serverCommand(socketPath, directory);
  return spawn(node, args, { cwd: '/', env, detached, stdio: ['ignore', 'ignore', errors, device] });
}
