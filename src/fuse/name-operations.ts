import { TraceError } from '../base/errno.js';
import { NOTHING, nameIn, type Operation } from './context.js';
import { FATTR, GETXATTR_IN, GETXATTR_OUT, MKDIR_IN, type Opcode, SETATTR_IN, STATFS_OUT } from './protocol.js';

const PERMISSIONS = 0o7777;
const NAME_MAX = 255;

const refuse =
  (errno: 'EPERM' | 'EACCES'): Operation =>
  () => {
    throw new TraceError(errno);
  };

/** Operations on names and nodes; tracefs does not allow creating, removing or renaming files. */
export const NAME_OPERATIONS = {
  async LOOKUP({ tree, nodes, attributes }, { nodeid, body }) {
    const path = nodes.childPath(nodeid, nameIn(body));
    return [attributes.entry(path, await tree.request('stat', { path }))];
  },
  async GETATTR({ tree, nodes, attributes }, { nodeid }) {
    return [attributes.attributes(nodeid, await tree.request('stat', { path: nodes.pathOf(nodeid) }))];
  },
  /** The changes of chmod, chown and touch are kept here; a size is accepted and ignored, as in the kernel. */
  async SETATTR({ tree, nodes, attributes }, { nodeid, body }) {
    const { valid, mode, uid, gid, atime, mtime } = SETATTR_IN.read(body, 0);
    const stat = tree.request('stat', { path: nodes.pathOf(nodeid) });
    nodes.change(nodeid, {
      ...(valid & FATTR.MODE && { mode: mode & PERMISSIONS }),
      ...(valid & FATTR.UID && { uid }),
      ...(valid & FATTR.GID && { gid }),
      ...(valid & FATTR.ATIME && { atime }),
      ...(valid & FATTR.MTIME && { mtime }),
    });
    return [attributes.attributes(nodeid, await stat)];
  },
  async MKDIR({ tree, nodes, attributes }, { nodeid, body }) {
    const path = nodes.childPath(nodeid, nameIn(body, MKDIR_IN.size));
    await tree.request('mkdir', { path });
    return [attributes.entry(path, await tree.request('stat', { path }))];
  },
  async RMDIR({ tree, nodes }, { nodeid, body }) {
    const path = nodes.childPath(nodeid, nameIn(body));
    await tree.request('rmdir', { path });
    nodes.remove(path);
    return NOTHING;
  },
  CREATE: refuse('EACCES'),
  MKNOD: refuse('EPERM'),
  SYMLINK: refuse('EPERM'),
  UNLINK: refuse('EPERM'),
  RENAME: refuse('EPERM'),
  RENAME2: refuse('EPERM'),
  LINK: refuse('EPERM'),
  ACCESS: () => NOTHING,
  /** There are none; a request with size 0 asks for the length of the list. */
  LISTXATTR: (_mount, { body }) => (GETXATTR_IN.read(body, 0).size === 0 ? [GETXATTR_OUT.write({ size: 0 })] : NOTHING),
  STATFS: () => [STATFS_OUT.write({ bsize: 4096, frsize: 4096, namelen: NAME_MAX })],
} as const satisfies Partial<Record<Opcode, Operation>>;
