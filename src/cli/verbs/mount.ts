import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { TraceError } from '../../base/errno.js';
import { PID_OPTION, parseOptions } from '../arguments.js';
import { closeFuseDevice, openFuseDevice } from '../mount/fuse-device.js';
import { serverCommand, startFuseServer } from '../mount/fuse-server.js';
import { serveByFusermount } from '../mount/fusermount.js';
import { mountFuse } from '../mount/mount-fuse.js';
import { isMounted } from '../mount/mount-table.js';
import { unmount } from '../mount/unmount.js';
import { targetOf } from '../target.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = { ...PID_OPTION, foreground: { type: 'boolean', short: 'f' } } as const;
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export const mount: Verb = {
  name: 'mount',
  synopsis: '[--pid PID] [--foreground] DIRECTORY',
  summary: 'mount the control files, as tracefs is mounted at /sys/kernel/tracing',
  options: OPTIONS,
  help: `  -f, --foreground    serve the mount in the foreground; Ctrl-C unmounts it

A background process serves the mount until fentry unmount, or until the traced process ends.

Example: mkdir /tmp/tracing; fentry mount /tmp/tracing; cat /tmp/tracing/trace
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const [word, ...more] = words;
    if (word === undefined || more.length > 0) throw new UsageError('name the directory to mount on');
    const client = await targetOf(values);
    const { socketPath } = client;
    // A stopped process does not answer: it is better to wait here than in a mount, where nothing ends the wait.
    await client.list('');
    const directory = await mountPoint(word);
    const isForeground = values.foreground === true;
    const server = await serve(socketPath, directory, !isForeground);
    if (!isMounted(directory) || !isServed(directory)) throw new TraceError('ENODEV', 'the process has ended');
    if (!isForeground) {
      server.unref();
      return 0;
    }
    for (const signal of FORWARDED) process.on(signal, () => void unmount(directory, true));
    await once(server, 'exit');
    return 0;
  },
};

/** The directory itself; a mount that a killed server left there is removed first. */
async function mountPoint(word: string): Promise<string> {
  const directory = join(realpathSync(dirname(resolve(word))), basename(resolve(word)));
  if (isMounted(directory)) {
    if (isServed(directory)) throw new TraceError('EBUSY', `${directory} is already a mount of fentry`);
    await unmount(directory, true);
  }
  if (!statSync(directory).isDirectory()) throw new TraceError('ENOTDIR', `${directory} is not a directory`);
  return realpathSync(directory);
}

/** Whether a server answers for a mount; the kernel caches attributes for a while after the server's death. */
function isServed(directory: string): boolean {
  try {
    readdirSync(directory);
    return true;
  } catch (error) {
    return !['ENOTCONN', 'ENODEV'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

async function serve(socketPath: string, directory: string, detached: boolean): Promise<ChildProcess> {
  if (process.getuid?.() !== 0) return serveByFusermount(directory, serverCommand(socketPath, directory), detached);
  const device = openFuseDevice();
  const server = startFuseServer({ socketPath, device, directory, detached });
  try {
    await mountFuse(device, directory);
  } catch (error) {
    server.kill('SIGKILL');
    throw error;
  } finally {
    closeFuseDevice(device);
  }
  return server;
}
