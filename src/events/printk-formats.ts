/** How many formats are listed. A program that makes up its formats would fill any list. */
export const MAX_PRINTK_FORMATS = 1024;

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\\': '\\\\', '"': '\\"' };

/** The formats that the program has given to tracePrintk() (kernel/trace/trace_printk.c). */
export class PrintkFormats {
  readonly #formats = new Set<string>();

  add(format: string): void {
    if (this.#formats.size < MAX_PRINTK_FORMATS) this.#formats.add(format);
  }

  /** The lines of printk_formats. The kernel has addresses there; these are numbers, to which no record refers. */
  *lines(): Generator<string> {
    let number = 0;
    for (const format of this.#formats)
      yield `0x${(++number).toString(16)} : "${format.replace(/[\n\t\\"]/g, (one) => ESCAPES[one]!)}"\n`;
  }
}
