import { spawn } from 'node:child_process';

/** Unmounts at once; open files stay usable. Resolves to whether it was unmounted. */
export function unmountLazily(directory: string): Promise<boolean> {
  const command = process.getuid?.() === 0 ? ['umount', '-i', '-l', directory] : ['fusermount3', '-u', '-z', '--', directory];
  return new Promise((resolve) => {
    const child = spawn(command[0]!, command.slice(1), { stdio: 'ignore' });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}
