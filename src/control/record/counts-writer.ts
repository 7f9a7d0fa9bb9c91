import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LastPages } from '../../recording/last-pages.js';
import { countsFile, type ProcessCounts } from '../../recording/process-counts.js';
import { hasEnded, type ProcessIdentity } from '../../recording/process-identity.js';
import type { CountingInstances } from './counting-instances.js';

/** In milliseconds: how often it looks whether it is asked, and how often it writes anyway. */
const LOOK = 50;
const WRITE = 250;

/** Where counts are written to, and for whom. */
export interface CountsWriterOptions {
  readonly folder: string;
  readonly pid: number;
  /** The process that reads them; undefined if it is not known. */
  readonly reader: ProcessIdentity | undefined;
  /** Called when that process has ended, or the folder is gone: nobody reads the counts any more. */
  readonly abandoned: () => void;
}

/** Writes what the process counts into a folder while it runs, and at its end: `PID.counts` (process-counts.ts). */
export class CountsWriter {
  readonly #counting: CountingInstances;
  readonly #options: CountsWriterOptions;
  readonly #lastPages: LastPages;
  readonly #timer: NodeJS.Timeout;
  #nextWrite = 0;
  #writing: Promise<void> | undefined;

  constructor(counting: CountingInstances, options: CountsWriterOptions) {
    this.#counting = counting;
    this.#options = options;
    this.#lastPages = new LastPages(options.folder, options.pid);
    this.#timer = setInterval(() => this.#tick(), LOOK);
    this.#timer.unref();
  }

  /** The program has ended: writes the last counts. */
  async finish(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.#write(true);
    this.#lastPages.end();
  }

  #tick(): void {
    const areAsked = this.#lastPages.areAsked;
    if (this.#writing !== undefined || (!areAsked && performance.now() < this.#nextWrite)) return;
    this.#nextWrite = performance.now() + WRITE;
    this.#writing = this.#writeNow(areAsked).finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeNow(areAsked: boolean): Promise<void> {
    const { reader, abandoned } = this.#options;
    try {
      if (reader !== undefined && hasEnded(reader)) throw new Error('nobody reads the counts');
      await this.#write(false);
      if (areAsked) this.#lastPages.answer();
    } catch {
      clearInterval(this.#timer);
      abandoned();
    }
  }

  async #write(isLast: boolean): Promise<void> {
    const { folder, pid } = this.#options;
    const events = await this.#counting.eventRows();
    const functions = await this.#counting.functionRows(isLast);
    const path = join(folder, countsFile(pid));
    writeFileSync(`${path}.next`, JSON.stringify({ pid, isLast, events, functions } satisfies ProcessCounts), { mode: 0o600 });
    renameSync(`${path}.next`, path);
  }
}
