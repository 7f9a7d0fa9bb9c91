import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { pause } from '../base/pause.js';
import type { Part } from './part-files.js';
import { canAnswer } from './process-identity.js';

/** Milliseconds that the sender of a signal waits for the last pages at most, and between two looks. */
const PATIENCE = 2000;
const LOOK = 1;

/** A process that records can be asked so, and `.asked` is what it is asked by. */
const OPEN = '.open' satisfies `.${Part}`;
const ASKED = '.asked' satisfies `.${Part}`;

/**
 * How a process that is about to end a recorded one by a signal first asks for the pages that are not full, because nothing runs
 * in the recorded process after the signal. It renames the file `PID.open` to `PID.asked`; the answer is that the file gets its
 * name back.
 */
export class LastPages {
  readonly #open: string;
  readonly #asked: string;

  constructor(folder: string, pid: number) {
    this.#open = join(folder, `${pid}${OPEN}`);
    this.#asked = join(folder, `${pid}${ASKED}`);
    writeFileSync(this.#open, '', { mode: 0o600 });
  }

  get areAsked(): boolean {
    return existsSync(this.#asked);
  }

  /** All that was recorded before the question is in the folder. */
  answer(): void {
    renameSync(this.#asked, this.#open);
  }

  /** Nothing more is written. */
  end(): void {
    rmSync(this.#open, { force: true });
    rmSync(this.#asked, { force: true });
  }
}

/** Signals that processes are ended by. */
const ENDING = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGABRT', 'SIGKILL', 'SIGTERM'] as const;

const isEnding = (signal: unknown): boolean => ENDING.some((name) => signal === name || signal === constants.signals[name]);

const { hrtime } = process;
/** Milliseconds. */
const clock = (): number => Number(hrtime.bigint() / 1_000_000n);

/**
 * Before a signal that may end them: has processes of a recording write what their buffers hold, and waits for it some time at
 * most. Does nothing where they are not recorded.
 * @param target as kill() takes it: for 0 and less, which are groups, all processes of the recording are asked
 */
export function askForLastPages(folder: string, target: number, signal: unknown): void {
  if (!isEnding(signal)) return;
  const waiting = pidsOf(folder, target).flatMap((pid) => {
    const asked = join(folder, `${pid}${ASKED}`);
    try {
      renameSync(join(folder, `${pid}${OPEN}`), asked);
    } catch {
      // It does not record, or another process has asked already.
    }
    return existsSync(asked) ? [{ pid, asked }] : [];
  });
  const end = clock() + PATIENCE;
  for (const { pid, asked } of waiting) {
    while (existsSync(asked) && canAnswer(pid) && clock() < end) pause(LOOK);
  }
}

function pidsOf(folder: string, target: number): readonly number[] {
  if (target > 0) return [target];
  return readdirSync(folder)
    .filter((name) => name.endsWith(OPEN) || name.endsWith(ASKED))
    .map((name) => Number.parseInt(name, 10));
}
