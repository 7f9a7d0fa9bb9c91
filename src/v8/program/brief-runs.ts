import type { CacheFolder } from '../../base/cache/cache-folder.js';
import { readWhole } from '../../base/cache/open-private.js';
import { writeSync } from '../../base/untraced-fs.js';
import { type ContentKey, keyOfText } from '../loader/content-key.js';

const { cpuUsage, uptime } = process;

const NAME = 'brief-runs';
/** Rows of the table: a power of two. A command takes the row that its key says, from whichever command has it. */
const ROWS = 4096;
const ROW_WORDS = 4;
const ROW_BYTES = ROW_WORDS * 4;
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

/** Where texts are prepared a program may end soon: nothing need be known of it. */
export const ANY_RUN: ExpectedRuns = {
  get mayEndSoon() {
    return isBrief();
  },
  ended() {},
};

/**
 * Which commands ended soon when they last ran: a table on disk, whose rows are keys of commands with all of their arguments. A
 * row is cleared while its command runs, so that one which was killed, or never ended, counts as long.
 */
export class BriefRuns implements ExpectedRuns {
  readonly #folder: CacheFolder;
  readonly #words: readonly string[];
  #knownKey: ContentKey | undefined;
  #wasBrief: boolean | undefined;

  constructor(folder: CacheFolder, { argv, execArgv } = process) {
    this.#folder = folder;
    this.#words = [...execArgv, '', ...argv];
  }

  /** The key of the folder in which the first text was loaded, and the words as they were at the start. */
  get #key(): ContentKey {
    this.#knownKey ??= keyOfText([process.cwd(), ...this.#words].join('\0'), 0);
    return this.#knownKey;
  }

  /** Byte of the row. */
  get #at(): number {
    return (this.#key[0] % ROWS) * ROW_BYTES;
  }

  /** Whether the last one was brief, and this one may be. */
  get mayEndSoon(): boolean {
    this.#wasBrief ??= this.#take();
    return this.#wasBrief && isBrief();
  }

  /** The program has ended by itself. Nothing is stored if its time was never asked for. */
  ended(): void {
    if (this.#wasBrief === undefined || !isBrief()) return;
    const row = Uint32Array.from(this.#key);
    const isWritten = this.#folder.change(NAME, ({ fd }) => {
      writeSync(fd, row, 0, ROW_BYTES, this.#at);
      return true;
    });
    if (isWritten === true) return;
    const table = new Uint32Array(ROWS * ROW_WORDS);
    table.set(row, this.#at / 4);
    this.#folder.write(NAME, [table]);
  }

  #take(): boolean {
    const taken = this.#folder.change(NAME, ({ fd }) => {
      const row = new Uint32Array(ROW_WORDS);
      if (!readWhole(fd, row, this.#at) || this.#key.some((word, i) => row[i] !== word)) return false;
      writeSync(fd, new Uint32Array(ROW_WORDS), 0, ROW_BYTES, this.#at);
      return true;
    });
    return taken === true;
  }
}
