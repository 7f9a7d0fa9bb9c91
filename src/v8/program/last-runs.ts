import type { CacheFolder } from '../../base/cache/cache-folder.js';
import { readWhole } from '../../base/cache/open-private.js';
import { writeSync } from '../../base/untraced-fs.js';
import { keyOfText } from '../loader/content-key.js';

const { cpuUsage, uptime } = process;

const NAME = 'last-runs';
/** Rows of the table: a power of two. A command takes the row that its key says, from whichever command has it. */
const ROWS = 4096;
/** A row: three words of the command's key, and how its last run went. */
const ROW = { key: 3, words: 4 } as const;
const ROW_BYTES = ROW.words * 4;
/** How a run went, as far as it went: 0 stands in rows that no command has. */
const RUN = { begun: 1, brief: 2 } as const;
/**
 * Microseconds of CPU time that a brief run takes at most. On a busy machine it may take any time; a program that waits turns
 * its event loop.
 */
const BRIEF = 1_000_000;

const isBrief = (): boolean => {
  if (uptime() * 1e6 < BRIEF) return true;
  const { user, system } = cpuUsage();
  return user + system < BRIEF;
};

/** Which programs end soon, as far as that is known. */
export interface ExpectedRuns {
  /** Whether this run may be brief. */
  readonly mayEndSoon: boolean;
  /** The program has ended by itself. */
  ended(): void;
}

/** Where nothing can be stored of a program, it may end soon. */
export const ANY_RUN: ExpectedRuns = {
  get mayEndSoon() {
    return isBrief();
  },
  ended() {},
};

/**
 * How commands ended when they last ran: a table on disk, whose rows are keys of commands with all of their arguments. A command
 * of which nothing is known may end soon. One whose last run was killed, is not over or took long is not expected to.
 */
export class LastRuns implements ExpectedRuns {
  readonly #folder: CacheFolder;
  readonly #words: readonly string[];
  #knownRow: Uint32Array<ArrayBuffer> | undefined;
  #wasLong: boolean | undefined;

  constructor(folder: CacheFolder, { argv, execArgv } = process) {
    this.#folder = folder;
    this.#words = [...execArgv, '', ...argv];
  }

  /** The row of this run, of the folder in which the first text was loaded, and the words as they were at the start. */
  get #row(): Uint32Array<ArrayBuffer> {
    this.#knownRow ??= Uint32Array.from(keyOfText([process.cwd(), ...this.#words].join('\0'), 0));
    return this.#knownRow;
  }

  /** Byte of the row. */
  get #at(): number {
    return ((this.#row[0] as number) % ROWS) * ROW_BYTES;
  }

  /** Whether this run may be brief, and the last one was, if one is known. */
  get mayEndSoon(): boolean {
    this.#wasLong ??= this.#begin();
    return !this.#wasLong && isBrief();
  }

  /** The program has ended by itself. Nothing is stored if its time was never asked for. */
  ended(): void {
    if (this.#wasLong === undefined || !isBrief()) return;
    if (this.#store(RUN.brief)) return;
    const table = new Uint32Array(ROWS * ROW.words);
    table.set(this.#row, this.#at / 4);
    this.#folder.write(NAME, [table]);
  }

  /** Stores that this run has begun, and says whether the last one is known, and was not brief. */
  #begin(): boolean {
    const last = new Uint32Array(ROW.words);
    let isKnown = false;
    const isStored = this.#store(RUN.begun, (fd) => {
      isKnown = readWhole(fd, last, this.#at) && this.#row.every((word, i) => i === ROW.key || last[i] === word);
    });
    return isStored && isKnown && last[ROW.key] !== RUN.brief;
  }

  /** Writes the row of this run; false if there is no table. */
  #store(run: number, before?: (fd: number) => void): boolean {
    this.#row[ROW.key] = run;
    const isWritten = this.#folder.change(NAME, ({ fd }) => {
      before?.(fd);
      writeSync(fd, this.#row, 0, ROW_BYTES, this.#at);
      return true;
    });
    return isWritten === true;
  }
}
