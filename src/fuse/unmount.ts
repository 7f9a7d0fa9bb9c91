import { spawn } from 'node:child_process';

/** Takes a mount away at once; who has something of it open keeps that. Resolves to whether it was taken away. */
export function unmountLazily(directory: string): Promise<boolean> {
  const command = process.getuid?.() === 0 ? ['umount', '-i', '-l', directory] : ['fusermount3', '-u', '-z', '--', directory];
  return new Promise((resolve) => {
    const child = spawn(command[0]!, command.slice(1), { stdio: 'ignore' });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}
