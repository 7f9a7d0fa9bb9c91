import { FileSession } from '../client/file-session.js';
import { FuseDevice } from './device.js';
import { FuseServer } from './server.js';
import { unmountLazily } from './unmount.js';

/** The descriptor of /dev/fuse that this process is started with. */
const DEVICE_FD = 3;

/**
 * The process behind a mount: `fuse.js SOCKET [DIRECTORY]`. It serves the tree of the process at the socket until the
 * mount is gone. When that process ends it takes the mount away; files that are still open then answer ENODEV.
 */
async function main([socketPath = '', directory]: readonly string[]): Promise<void> {
  const session = await FileSession.connect(socketPath);
  const owner = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const server = new FuseServer(new FuseDevice(DEVICE_FD), session, owner, Math.floor(Date.now() / 1000));
  const takeAway = (): void => {
    if (directory !== undefined) void unmountLazily(directory);
  };
  process.on('SIGTERM', takeAway);
  void session.ended.then(takeAway);
  await server.run();
  session.close();
}

// A Ctrl-C in the terminal is for whoever uses the mount.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, () => {});
await main(process.argv.slice(2));
