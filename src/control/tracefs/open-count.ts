import type { FileHandle, TraceDirectory, TraceNode } from './node.js';

/** The number of open files below a directory that keep the instance in use. */
export class OpenCount {
  #open = 0;

  get isZero(): boolean {
    return this.#open === 0;
  }

  /** A node that counts: what is opened through it is counted until it is released. */
  counting<Node extends TraceNode>(node: Node): Node {
    if (node.kind === 'file' && node.holdsInstance === false) return node;
    if (node.kind === 'directory') return { ...node, get: (name) => this.#child(node, name) } as Node;
    return {
      ...node,
      open: async (...how: Parameters<typeof node.open>) => this.#count(await node.open(...how)),
    } as Node;
  }

  #child(directory: TraceDirectory, name: string): TraceNode | undefined {
    const child = directory.get(name);
    return child && this.counting(child);
  }

  #count(handle: FileHandle): FileHandle {
    this.#open++;
    const release = handle.release.bind(handle);
    handle.release = () => {
      this.#open--;
      handle.release = release;
      return release();
    };
    return handle;
  }
}
