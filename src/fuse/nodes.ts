import { TraceError } from '../base/errno.js';

const ROOT_ID = 1;

/** The changes that chmod, chown and touch made to a node; the tree itself does not have them. Times are in seconds. */
export interface AttributeChanges {
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly atime?: number;
  readonly mtime?: number;
}

interface Node {
  readonly path: string;
  changes: AttributeChanges;
  /** Whether the node's directory was removed: the kernel may still hold it open. */
  isRemoved: boolean;
}

/**
 * The nodes that the kernel was told of, by number. A path keeps its number as long as it exists, and numbers are not reused:
 * an instance that is created again gets another one.
 */
export class Nodes {
  readonly #byId = new Map<number, Node>([[ROOT_ID, { path: '', changes: {}, isRemoved: false }]]);
  readonly #byPath = new Map<string, number>([['', ROOT_ID]]);
  #next = ROOT_ID + 1;

  /** The number of a path, which has no slash at its ends. */
  idOf(path: string): number {
    const known = this.#byPath.get(path);
    if (known !== undefined) return known;
    const id = this.#next++;
    this.#byPath.set(path, id);
    this.#byId.set(id, { path, changes: {}, isRemoved: false });
    return id;
  }

  /** The path of a number. ENOENT for one whose directory was removed. */
  pathOf(id: number): string {
    const { path, isRemoved } = this.#node(id);
    if (isRemoved) throw new TraceError('ENOENT');
    return path;
  }

  /** A number's path for a message, whether it still exists or not. */
  shownPath(id: number): string {
    return `/${this.#byId.get(id)?.path ?? `node ${id}`}`;
  }

  /** Whether the directory of a number was removed. */
  isRemoved(id: number): boolean {
    return this.#node(id).isRemoved;
  }

  childPath(parent: number, name: string): string {
    const path = this.pathOf(parent);
    return path === '' ? name : `${path}/${name}`;
  }

  changesOf(id: number): AttributeChanges {
    return this.#node(id).changes;
  }

  change(id: number, changes: AttributeChanges): void {
    const node = this.#node(id);
    node.changes = { ...node.changes, ...changes };
  }

  /** A directory was removed, and what was in it. */
  remove(path: string): void {
    for (const [other, id] of this.#byPath) {
      if (other !== path && !other.startsWith(`${path}/`)) continue;
      this.#byPath.delete(other);
      this.#node(id).isRemoved = true;
    }
  }

  /** The kernel asks for a number no more. One that is there keeps it, for the next time that its name is looked up. */
  forget(id: number): void {
    if (this.#byId.get(id)?.isRemoved === true) this.#byId.delete(id);
  }

  #node(id: number): Node {
    const node = this.#byId.get(id);
    if (node === undefined) throw new TraceError('ENOENT');
    return node;
  }
}
