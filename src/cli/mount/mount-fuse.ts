import { TraceError } from '../../base/errno.js';
import { MOUNT_SOURCE, MOUNT_TYPE } from './mount-table.js';
import { runTool } from './run-tool.js';

/** Options of mount(2) for a tree whose modes the kernel checks; `fd` is where the mounting process has /dev/fuse. */
export const mountOptions = (fd: number, uid: number, gid: number): string =>
  `fd=${fd},rootmode=40000,user_id=${uid},group_id=${gid},allow_other,default_permissions`;

/** Mounts an opened /dev/fuse, as root. The server must be running: mount(8) looks at what it has mounted. */
export async function mountFuse(device: number, directory: string): Promise<void> {
  const options = mountOptions(3, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
  const { code, said } = await runTool(['mount', '-i', '-t', MOUNT_TYPE, '-o', options, MOUNT_SOURCE, directory], device);
  if (code !== 0) throw new TraceError('EPERM', said.replace(/^mount: /, '') || `mount ended with ${code}`);
}
