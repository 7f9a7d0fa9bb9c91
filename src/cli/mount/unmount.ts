import { TraceError } from '../../base/errno.js';
import { runTool } from './run-tool.js';

/**
 * Unmounts. EBUSY while a process uses the mount.
 * @param lazily unmount at once; open files stay usable
 */
export async function unmount(directory: string, lazily: boolean): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  const command = isRoot
    ? ['umount', '-i', ...(lazily ? ['-l'] : []), directory]
    : ['fusermount3', '-u', ...(lazily ? ['-z'] : []), '--', directory];
  const { code, said } = await runTool(command);
  if (code === 0) return;
  if (/busy/i.test(said)) {
    throw new TraceError(
      'EBUSY',
      `${directory} is in use: a process has an open file or its working directory there; --lazy unmounts it all the same`,
    );
  }
  throw new TraceError('EINVAL', said.replace(/^\w+: /, '') || `${command[0]} ended with ${code}`);
}
