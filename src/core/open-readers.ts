const ALL_CPUS = -1;

/** Who has a kind of file open for reading, by cpu: some things must not be done meanwhile. */
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

  /** Whether somebody reads a cpu, or any of them; who reads all of them reads each. */
  reads(cpu?: number): boolean {
    return cpu === undefined ? this.#open.size > 0 : this.#open.has(cpu) || this.#open.has(ALL_CPUS);
  }
}
