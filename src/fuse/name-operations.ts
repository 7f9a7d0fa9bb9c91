import { TraceError } from '../base/errno.js';
import type { NodeStat } from './attributes.js';
import { NOTHING, nameIn, type Operation } from './context.js';
import type { ListedName } from './directory-listings.js';
import {
  FATTR,
  GETXATTR_IN,
  GETXATTR_OUT,
  HANDLE_IN,
  MKDIR_IN,
  MKNOD_IN,
  OPEN_OUT,
  type Opcode,
  READ_IN,
  S_IFMT,
  S_IFREG,
  SETATTR_IN,
  STATFS_OUT,
} from './protocol.js';

/** What is left of a directory that was removed while it was open. */
const REMOVED: NodeStat = { kind: 'directory', mode: 0o750, size: 0, nlink: 0 };

const PERMISSIONS = 0o7777;
const NAME_MAX = 255;

const refuse =
  (errno: 'EPERM' | 'EACCES' | 'EOPNOTSUPP'): Operation =>
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
    if (nodes.isRemoved(nodeid)) return [attributes.attributes(nodeid, REMOVED)];
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
  /** A plain file is one that is created. */
  MKNOD(_mount, { body }) {
    throw new TraceError((MKNOD_IN.read(body, 0).mode & S_IFMT) === S_IFREG ? 'EACCES' : 'EPERM');
  },
  SYMLINK: refuse('EPERM'),
  UNLINK: refuse('EPERM'),
  RENAME: refuse('EPERM'),
  RENAME2: refuse('EPERM'),
  LINK: refuse('EPERM'),
  ACCESS: () => NOTHING,
  GETXATTR: refuse('EOPNOTSUPP'),
  SETXATTR: refuse('EOPNOTSUPP'),
  REMOVEXATTR: refuse('EOPNOTSUPP'),
  /** There are none; a request with size 0 asks for the length of the list. */
  LISTXATTR: (_mount, { body }) => (GETXATTR_IN.read(body, 0).size === 0 ? [GETXATTR_OUT.write({ size: 0 })] : NOTHING),
  STATFS: () => [STATFS_OUT.write({ bsize: 4096, frsize: 4096, namelen: NAME_MAX })],
} as const satisfies Partial<Record<Opcode, Operation>>;

/** Reading directories. */
export const DIRECTORY_OPERATIONS = {
  async OPENDIR({ tree, nodes, listings }, { nodeid }) {
    if (nodes.isRemoved(nodeid)) return [OPEN_OUT.write({ fh: listings.add([]) })];
    const { entries } = await tree.request('list', { path: nodes.pathOf(nodeid) });
    const names: ListedName[] = [
      { name: '.', ino: nodeid, kind: 'directory' },
      { name: '..', ino: nodeid, kind: 'directory' },
      ...entries.map(({ name, kind }) => ({ name, kind, ino: nodes.idOf(nodes.childPath(nodeid, name)) })),
    ];
    return [OPEN_OUT.write({ fh: listings.add(names) })];
  },
  READDIR({ nodes, listings }, { nodeid, body }) {
    if (nodes.isRemoved(nodeid)) throw new TraceError('ENOENT');
    const { fh, offset, size } = READ_IN.read(body, 0);
    return listings.read(fh, offset, size);
  },
  RELEASEDIR({ listings }, { body }) {
    listings.remove(HANDLE_IN.read(body, 0).fh);
    return NOTHING;
  },
  FSYNCDIR: () => NOTHING,
} as const satisfies Partial<Record<Opcode, Operation>>;
