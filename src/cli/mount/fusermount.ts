import { spawn } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { TraceError } from '../../base/errno.js';
import { MOUNT_SOURCE } from './mount-table.js';

/** A mount that waits for its server. */
export interface MountedDevice {
  /** The descriptor to start the server with. */
  readonly device: number;
  /** Closes this process's copy. */
  release(): void;
}

/**
 * Mounts as a user who is not root, by fusermount3. It passes the opened device back over a socket. Node hands no such descriptor to
 * JavaScript, but libuv has received it: its number stands in /proc/self/fd, and children can inherit it. It is closed
 * with the channel, so a second child (cat) keeps that open until the server has its copy.
 */
export async function mountByFusermount(directory: string): Promise<MountedDevice> {
  const script = 'fusermount3 -o "$1" -- "$2" && echo mounted && exec cat <&3 >/dev/null';
  const options = `fsname=${MOUNT_SOURCE},subtype=fentry,default_permissions`;
  const before = new Set(fuseDescriptors());
  const child = spawn('sh', ['-c', script, 'sh', options, directory], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, _FUSE_COMMFD: '3' },
  });
  const said = text(child.stderr!);
  const isMounted = await new Promise<boolean>((resolve) => {
    child.stdout!.once('data', () => resolve(true));
    child.once('exit', () => resolve(false));
    child.once('error', () => resolve(false));
  });
  if (!isMounted) throw new TraceError('EPERM', refusal(await said));
  const device = await received(before);
  return { device, release: () => void child.kill() };
}

const refusal = (said: string): string =>
  /not found/.test(said) ? 'only root can mount without fusermount3 (package fuse3); fentry sh needs no mount' : said.trim();

/** The channel is read by the event loop, a moment after the mount. */
async function received(before: ReadonlySet<number>): Promise<number> {
  for (let tries = 0; tries < 500; tries++) {
    const fd = fuseDescriptors().find((one) => !before.has(one));
    if (fd !== undefined) return fd;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new TraceError('EIO', 'fusermount3 passed no descriptor on');
}

function fuseDescriptors(): number[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`) === '/dev/fuse' ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}
