import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Connection state of /proc/net/tcp. */
const LISTEN = '0A';

/** A listening socket of a network. */
export interface ListeningSocket {
  readonly port: number;
  readonly inode: string;
}

/** The listening sockets in the text of /proc/net/tcp or tcp6. */
export function listeningSockets(text: string): readonly ListeningSocket[] {
  return text.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    return state === LISTEN ? [{ port: Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16), inode }] : [];
  });
}

const networkOf = (pid: number): readonly ListeningSocket[] =>
  ['tcp', 'tcp6'].flatMap((name) => {
    try {
      return listeningSockets(readFileSync(`/proc/${pid}/net/${name}`, 'utf8'));
    } catch {
      return [];
    }
  });

function inodesOf(pid: number): ReadonlySet<string> {
  const folder = `/proc/${pid}/fd`;
  const inodes = new Set<string>();
  let names: readonly string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // It has ended.
  }
  for (const name of names) {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`${folder}/${name}`))?.[1];
      if (inode !== undefined) inodes.add(inode);
    } catch {
      // Closed meanwhile.
    }
  }
  return inodes;
}

/** The TCP sockets that a process listens on. */
export function socketsOf(pid: number): readonly ListeningSocket[] {
  const inodes = inodesOf(pid);
  return networkOf(pid).filter(({ inode }) => inodes.has(inode));
}

/** The TCP ports that a process listens on. */
export const listeningPorts = (pid: number): readonly number[] => socketsOf(pid).map(({ port }) => port);

/** The process that listens on a port: 0 if this user may not see it, undefined if there is none. */
export function holderOfPort(port: number): number | undefined {
  const sockets = networkOf(process.pid).filter((socket) => socket.port === port);
  if (sockets.length === 0) return undefined;
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const holder = pids.find((pid) => {
    const inodes = inodesOf(pid);
    return sockets.some(({ inode }) => inodes.has(inode));
  });
  return holder ?? 0;
}
