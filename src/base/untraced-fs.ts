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
export const untraced = <F extends (...args: never[]) => unknown>(fn: F): F =>
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

export const closeSync = untraced(fs.closeSync);
export const existsSync = untraced(fs.existsSync);
export const fstatSync = untraced(fs.fstatSync) as typeof fs.fstatSync;
export const lstatSync = untraced(fs.lstatSync as typeof fs.statSync);
export const mkdirSync = untraced(fs.mkdirSync) as typeof fs.mkdirSync;
export const accessSync = untraced(fs.accessSync);
export const openSync = untraced(fs.openSync);
export const readdirSync = untraced(fs.readdirSync) as typeof fs.readdirSync;
export const readFileSync = untraced(fs.readFileSync) as typeof fs.readFileSync;
export const readlinkSync = untraced(fs.readlinkSync) as typeof fs.readlinkSync;
export const readSync = untraced(fs.readSync) as typeof fs.readSync;
export const readvSync = untraced(fs.readvSync);
export const realpathSync = untraced(fs.realpathSync as (path: string) => string);
export const nativeRealpathSync = untraced(fs.realpathSync.native as (path: string) => string);
export const renameSync = untraced(fs.renameSync);
export const rmSync = untraced(fs.rmSync);
export const statSync = untraced(fs.statSync as typeof fs.statSync);
export const unlinkSync = untraced(fs.unlinkSync);
export const writeFileSync = untraced(fs.writeFileSync);
export const writeSync = untraced(fs.writeSync) as typeof fs.writeSync;
export const writevSync = untraced(fs.writevSync);
