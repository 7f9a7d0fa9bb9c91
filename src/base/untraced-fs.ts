import * as fs from 'node:fs';

/**
 * The functions of `node:fs` that fentry uses in the program's threads: saved before the program can replace them, and marked
 * while they run, so that the events of files do not show fentry's own.
 */

/** How many file functions run that fentry called. */
interface UntracedFileWork {
  depth: number;
  readonly readFile: typeof fs.readFile;
}

let work: UntracedFileWork = { depth: 0, readFile: fs.readFile };

/** Whether a file function runs that fentry called itself. */
export const isUntracedFileWork = (): boolean => work.depth > 0;

/** Node's own fs.readFile. */
export const nativeReadFile = (): typeof fs.readFile => work.readFile;

/** What this bundle counts with, and taking another's instead: what one of them does, the other knows. */
export const untracedFileWorkState = (): UntracedFileWork => work;
export const shareUntracedFileWork = (shared: UntracedFileWork): void => {
  work = shared;
};

const { apply } = Reflect;

/** Marks all that `fn` does with files. */
export const untracedFileWork = <F extends (...args: never[]) => unknown>(fn: F): F =>
  ((...args: unknown[]) => {
    const state = work;
    state.depth++;
    try {
      return apply(fn, undefined, args);
    } finally {
      state.depth--;
    }
  }) as unknown as F;

export const { constants } = fs;
export type { Stats } from 'node:fs';

export const closeSync = untracedFileWork(fs.closeSync);
export const existsSync = untracedFileWork(fs.existsSync);
export const fstatSync = untracedFileWork(fs.fstatSync) as typeof fs.fstatSync;
export const lstatSync = untracedFileWork(fs.lstatSync as typeof fs.statSync);
export const mkdirSync = untracedFileWork(fs.mkdirSync) as typeof fs.mkdirSync;
export const accessSync = untracedFileWork(fs.accessSync);
export const openSync = untracedFileWork(fs.openSync);
export const readdirSync = untracedFileWork(fs.readdirSync) as typeof fs.readdirSync;
export const readFileSync = untracedFileWork(fs.readFileSync) as typeof fs.readFileSync;
export const readlinkSync = untracedFileWork(fs.readlinkSync) as typeof fs.readlinkSync;
export const readSync = untracedFileWork(fs.readSync) as typeof fs.readSync;
export const readvSync = untracedFileWork(fs.readvSync);
export const realpathSync = untracedFileWork(fs.realpathSync as (path: string) => string);
export const nativeRealpathSync = untracedFileWork(fs.realpathSync.native as (path: string) => string);
export const renameSync = untracedFileWork(fs.renameSync);
export const rmSync = untracedFileWork(fs.rmSync);
export const statSync = untracedFileWork(fs.statSync as typeof fs.statSync);
export const unlinkSync = untracedFileWork(fs.unlinkSync);
export const writeFileSync = untracedFileWork(fs.writeFileSync);
export const writeSync = untracedFileWork(fs.writeSync) as typeof fs.writeSync;
export const writevSync = untracedFileWork(fs.writevSync);
