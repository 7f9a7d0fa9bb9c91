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
