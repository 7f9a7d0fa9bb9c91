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

const ALL_CPUS = -1;

/** The open readers of a kind of file, by cpu: some changes are refused while there are any. */
export class OpenReaders {
  readonly #open = new Map<number, number>();

  /**
   * One more has the file of a cpu open, or that of all.
   * @returns called when it is closed
   */
  open(cpu = ALL_CPUS): () => void {
    this.#open.set(cpu, (this.#open.get(cpu) ?? 0) + 1);
    return () => {
      const left = this.#open.get(cpu)! - 1;
      if (left === 0) this.#open.delete(cpu);
      else this.#open.set(cpu, left);
    };
  }

  /** Whether a cpu has a reader, or any cpu has; a reader of all cpus reads each. */
  reads(cpu?: number): boolean {
    return cpu === undefined ? this.#open.size > 0 : this.#open.has(cpu) || this.#open.has(ALL_CPUS);
  }
}
