const ESC = '\u001b[';
const ENTER = `${ESC}?1049h${ESC}?25l`;
const LEAVE = `${ESC}?25h${ESC}?1049l`;
const HOME = `${ESC}H`;
const CLEAR_LINE = `${ESC}2K`;
const END_OF_SCREEN = `${ESC}J`;

/** Ctrl-C, where the terminal does not make a signal of it. */
const INTERRUPT = '\u0003';

/** A terminal that is drawn on: its other screen, and its keys as they are pressed. */
export class TopTerminal {
  readonly #pressed: (key: string) => void;

  /** @param keys called with each key; a Ctrl-C is `q` */
  constructor(keys: (key: string) => void) {
    this.#pressed = (text) => {
      for (const key of text) keys(key === INTERRUPT ? 'q' : key);
    };
    process.stdout.write(ENTER);
    if (!process.stdin.isTTY) return;
    process.stdin.setRawMode(true);
    process.stdin.setEncoding('utf8').on('data', this.#pressed);
    process.stdin.resume();
  }

  /** The terminal's size now; a terminal that does not say it has 80 columns. */
  get size(): { readonly columns: number; readonly rows: number } {
    const { columns, rows } = process.stdout;
    return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
  }

  /** Shows lines, in which control characters are made visible already. */
  draw(lines: readonly string[]): void {
    // Cleared first: behind a line that is as long as the terminal is wide, its last character would go.
    const text = lines.map((line) => `${CLEAR_LINE}${line}`).join('\r\n');
    process.stdout.write(`${HOME}${text}${END_OF_SCREEN}`);
  }

  /** Gives the terminal back as it was. */
  close(): void {
    process.stdout.write(LEAVE);
    if (!process.stdin.isTTY) return;
    process.stdin.off('data', this.#pressed);
    process.stdin.setRawMode(false);
    process.stdin.pause();
  }
}
