import { TraceError } from '../../base/errno.js';
import { runTool } from './run-tool.js';

/**
 * Takes a mount away. EBUSY while somebody has something of it open.
 * @param lazily at once; who has something of it open keeps that
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
