import { lstatSync } from 'node:fs';
import { TraceError } from './errno.js';
import { makeFolder } from './make-folder.js';

/** The environment variables that choose the folder of the sockets. */
export interface SocketEnvironment {
  readonly FENTRY_DIR?: string | undefined;
  readonly XDG_RUNTIME_DIR?: string | undefined;
}

const SOCKET_NAME = /^([1-9]\d*)\.sock$/;

/** The folder of the sockets of the user `uid`: $FENTRY_DIR, else $XDG_RUNTIME_DIR/fentry, else /tmp/fentry-UID. */
export function socketDirectory(env: SocketEnvironment, uid: number): string {
  if (env.FENTRY_DIR) return env.FENTRY_DIR;
  return env.XDG_RUNTIME_DIR ? `${env.XDG_RUNTIME_DIR}/fentry` : `/tmp/fentry-${uid}`;
}

/** The folder of the sockets and the variable that chose it, in words that follow "looked in". */
export function describeSocketDirectory(env: SocketEnvironment, uid: number): string {
  const directory = socketDirectory(env, uid);
  if (env.FENTRY_DIR) return `${directory} (FENTRY_DIR)`;
  return env.XDG_RUNTIME_DIR
    ? `${directory} (from XDG_RUNTIME_DIR; FENTRY_DIR names another)`
    : `${directory} (FENTRY_DIR names another)`;
}

/** The socket of the process `pid` in that folder. */
export const socketPath = (directory: string, pid: number): string => `${directory}/${pid}.sock`;

/** The pid in a socket's file name, or undefined for another file. */
export function pidOfSocket(name: string): number | undefined {
  const pid = SOCKET_NAME.exec(name)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

/**
 * Makes sure that only `uid` can use what is in the folder. EACCES if it belongs to another user or others may enter it,
 * ENOTDIR if it is something else (also a link: its target could change), ENOENT if it does not exist.
 */
export function checkSocketDirectory(directory: string, uid: number): void {
  const stat = lstatSync(directory, { throwIfNoEntry: false });
  if (stat === undefined) throw new TraceError('ENOENT', `${directory}: no such folder`);
  if (!stat.isDirectory()) throw new TraceError('ENOTDIR', `${directory} is not a folder`);
  if (stat.uid !== uid) throw new TraceError('EACCES', `${directory} belongs to user ${stat.uid}, not to ${uid}`);
  const mode = stat.mode & 0o777;
  if ((mode & 0o077) !== 0) {
    throw new TraceError('EACCES', `${directory} has mode 0${mode.toString(8)}: others could enter; it must be 0700`);
  }
}

/** Creates the folder if it is missing, then checks it. */
export function makeSocketDirectory(directory: string, uid: number): void {
  makeFolder(directory);
  checkSocketDirectory(directory, uid);
}

/** Whether a process with this id exists, of any user. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
