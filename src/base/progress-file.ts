import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { attempt } from './attempt.js';

/** Says what is being done. The text is asked for when it is going to be shown. */
export type TellProgress = (doing: () => string) => void;

/**
 * Milliseconds: what takes no longer is not told, and nothing is told more often; and how long after the last word the work is
 * over.
 */
const [SHORTEST, BETWEEN, OVER] = [200, 100, 300];

/** The file beside a control socket that says what its process is doing. */
export const progressPath = (socketPath: string): string => socketPath.replace(/(\.sock)?$/, '.progress');

/**
 * What a process that serves control files is doing: a line of text in a file beside its socket, while it cannot answer. The file
 * is there while work lasts that takes longer than a moment.
 */
export class ProgressFile {
  readonly #path: string;
  #began: number | undefined;
  #written = 0;
  #over: NodeJS.Timeout | undefined;

  /** Removes what a process before this one has left. */
  constructor(path: string) {
    this.#path = path;
    this.#remove();
  }

  /** Says that work goes on. */
  readonly tell: TellProgress = (doing) => {
    const now = performance.now();
    this.#began ??= now;
    // The timer runs when this process comes to itself again.
    if (this.#over === undefined) this.#over = setTimeout(() => this.end(), OVER).unref();
    else this.#over.refresh();
    if (now - this.#began >= SHORTEST && now - this.#written >= BETWEEN) this.#write(doing(), now);
  };

  /** Says what is going to take long, or may, and does not come by here meanwhile. */
  readonly tellNow: TellProgress = (doing) => {
    this.tell(doing);
    this.#write(doing(), performance.now());
  };

  end(): void {
    clearTimeout(this.#over);
    this.#over = undefined;
    this.#began = undefined;
    if (this.#written !== 0) this.#remove();
    this.#written = 0;
  }

  /** The work goes on where the file cannot be written. */
  #write(text: string, now: number): void {
    this.#written = now;
    attempt(() => writeFileSync(this.#path, `${text}\n`, { mode: 0o600 }));
  }

  #remove(): void {
    attempt(() => unlinkSync(this.#path));
  }
}

/** What the process of a control socket is doing, as far as it says; undefined also while that is being written. */
export function readProgress(socketPath: string): string | undefined {
  const text = attempt(() => readFileSync(progressPath(socketPath), 'utf8'));
  return text?.endsWith('\n') ? text.slice(0, -1) : undefined;
}
