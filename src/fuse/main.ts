import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { FileSession } from '../client/file-session.js';
import { FuseDevice } from './device.js';
import { FuseServer } from './server.js';
import { type Tree, treeWithoutProcess } from './tree.js';

/** Unmounts at once; open files stay usable. Resolves to whether it was unmounted. */
function unmountLazily(directory: string): Promise<boolean> {
  const command = process.getuid?.() === 0 ? ['umount', '-i', '-l', directory] : ['fusermount3', '-u', '-z', '--', directory];
  return new Promise((resolve) => {
    const child = spawn(command[0]!, command.slice(1), { stdio: 'ignore' });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}

/** The descriptor of /dev/fuse that this process is started with. */
const DEVICE_FD = 3;
/** How often to try to unmount, because the mount may not be there yet, and the milliseconds between tries. */
const TRIES = 100;
const BETWEEN_MS = 50;

/**
 * The process behind a mount: `fuse.js SOCKET [DIRECTORY]`. It serves the tree of the process at the socket until the mount is
 * gone. When that process ends, or has already ended, it unmounts; until then everything answers ENODEV.
 */
async function main([socketPath = '', directory]: readonly string[]): Promise<void> {
  const session = await FileSession.connect(socketPath).catch(() => undefined);
  const tree: Tree = session ?? treeWithoutProcess;
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const time = Math.floor(Date.now() / 1000);
  const server = new FuseServer(new FuseDevice(DEVICE_FD), tree, owner, time, (line) => void process.stderr.write(`${line}\n`));
  const takeAway = async (): Promise<void> => {
    for (let i = 0; directory !== undefined && i < TRIES && !(await unmountLazily(directory)); i++) await sleep(BETWEEN_MS);
  };
  process.on('SIGTERM', () => void takeAway());
  void (session?.ended ?? Promise.resolve()).then(takeAway);
  await server.run();
  process.exit();
}

// A Ctrl-C in the terminal is for the programs that use the mount.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, () => {});
await main(process.argv.slice(2));
