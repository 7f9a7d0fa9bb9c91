import { TraceError } from '../base/errno.js';
import { NOTHING, type Operation } from './context.js';
import type { ListedName } from './directory-listings.js';
import { HANDLE_IN, OPEN_OUT, type Opcode, READ_IN } from './protocol.js';

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
