import type { DirectoryEntry } from '../base/socket-protocol.js';
import type { Nodes } from './nodes.js';
import { ATTR_OUT, ENTRY_OUT, S_IFDIR, S_IFREG } from './protocol.js';

/** The tree's data about a node. */
export type NodeStat = Omit<DirectoryEntry, 'name'> & { readonly nlink: number };
/** The owner of all files: the user of the traced process. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const BLOCK_BYTES = 4096;
/** How long the kernel may cache the data of a node, in seconds. */
const LONG = 1;
/** Nothing in these directories is cached: their contents change, also by other processes. */
const CHANGING = ['instances', 'events', 'per_cpu', 'options'];

const timeout = (path: string): number => {
  const top = path.split('/', 1)[0]!;
  return CHANGING.includes(top) && path !== top ? 0 : LONG;
};

/** Builds the answers with a node's attributes. */
export class Attributes {
  readonly #nodes: Nodes;
  readonly #owner: Owner;
  /** Seconds; every file is as old as the mount. */
  readonly #time: number;

  constructor(nodes: Nodes, owner: Owner, time: number) {
    this.#nodes = nodes;
    this.#owner = owner;
    this.#time = time;
  }

  /** Answers LOOKUP and MKDIR. */
  entry(path: string, stat: NodeStat): Buffer {
    const id = this.#nodes.idOf(path);
    const seconds = timeout(path);
    return ENTRY_OUT.write({ nodeid: id, entryValid: seconds, attrValid: seconds, ...this.#attributes(id, stat) });
  }

  /** Answers GETATTR and SETATTR. */
  attributes(id: number, stat: NodeStat): Buffer {
    return ATTR_OUT.write({
      attrValid: this.#nodes.isRemoved(id) ? 0 : timeout(this.#nodes.pathOf(id)),
      ...this.#attributes(id, stat),
    });
  }

  #attributes(ino: number, { kind, mode, size, nlink }: NodeStat) {
    const changes = this.#nodes.changesOf(ino);
    const time = this.#time;
    return {
      ino,
      size,
      atime: changes.atime ?? time,
      mtime: changes.mtime ?? time,
      ctime: time,
      mode: (kind === 'directory' ? S_IFDIR : S_IFREG) | (changes.mode ?? mode),
      nlink,
      uid: changes.uid ?? this.#owner.uid,
      gid: changes.gid ?? this.#owner.gid,
      blksize: BLOCK_BYTES,
    };
  }
}
