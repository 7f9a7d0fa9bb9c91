import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { attempt } from '../../base/attempt.js';
import { grouped } from '../../base/grouped.js';
import type { ProgressFile } from '../../base/progress-file.js';

/** What is being done to a process, in words for those who wait for it. */
export class ToldWork {
  readonly #pid: number;
  readonly #file: Pick<ProgressFile, 'tell' | 'tellNow'> | undefined;
  #isArming = true;
  #name: string | undefined;

  /** @param file absent: nobody is told */
  constructor(pid: number, file?: Pick<ProgressFile, 'tell' | 'tellNow'>) {
    this.#pid = pid;
    this.#file = file;
  }

  /** An object's functions are looked for, which are not in the cache. */
  finds(path: string): void {
    this.#file?.tellNow(() => `finding the functions of ${basename(path)}`);
  }

  /** The sites of functions are read. */
  reads(done: number, all: number): void {
    this.#file?.tell(() => `reading ${this.#of(done, all)}`);
  }

  /** What the sites become is planned. @param isArming false: they become NOPs again */
  plans(done: number, all: number, isArming: boolean): void {
    this.#isArming = isArming;
    this.#file?.tell(() => `planning ${this.#of(done, all)}`);
  }

  /** Text is changed. */
  changes(done: number, all: number): void {
    this.#file?.tell(() => `${this.#isArming ? 'arming' : 'disarming'} ${this.#of(done, all)}`);
  }

  #of(done: number, all: number): string {
    this.#name ??= attempt(() => readFileSync(`/proc/${this.#pid}/comm`, 'utf8').trim()) ?? String(this.#pid);
    return `${grouped(done)} of ${grouped(all)} functions of ${this.#name}`;
  }
}
