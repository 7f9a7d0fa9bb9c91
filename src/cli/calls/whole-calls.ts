/** A line of a graph: the thread, and what stands in the column of functions. */
const LINE = /^\s*(?:\S+\s+)?(\d+)\)[^|]*\| {2}(.*)$/;
/** A call that is over on its line: what follows are comments. */
const LEAF = /;(?:\s*\/\*.*\*\/)*\s*$/;

/** Passes on the lines of whole calls, and counts these. A call that had begun before, on any thread, is left out. */
export class WholeCalls {
  /** Calls that are over. */
  count = 0;
  readonly #begun = new Set<string>();

  /** Whether a line of the graph is shown. */
  shows(line: string): boolean {
    const [, cpu, text] = LINE.exec(line) ?? [];
    if (cpu === undefined || text === undefined) return this.#begun.size > 0;
    if (text.startsWith(' ') || text.startsWith('/*')) return this.#begun.has(cpu);
    if (text.startsWith('}')) {
      if (!this.#begun.delete(cpu)) return false;
      this.count++;
      return true;
    }
    if (LEAF.test(text)) this.count++;
    else this.#begun.add(cpu);
    return true;
  }
}
