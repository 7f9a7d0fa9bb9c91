import * as fs from 'node:fs';

/**
 * The functions of `node:fs` that fentry uses in the program's threads: saved before the program can replace them, and marked
 * while they run, so that the events of files do not show fentry's own.
 */

/** How many file functions run that fentry called. */
interface OwnFileWork {
  depth: number;
  readonly readFile: typeof fs.readFile;
}

let work: OwnFileWork = { depth: 0, readFile: fs.readFile };

/** Whether a file function runs that fentry called itself. */
export const isOwnFileWork = (): boolean => work.depth > 0;

/** Node's own fs.readFile. */
export const nativeReadFile = (): typeof fs.readFile => work.readFile;

/** What this bundle counts with, and taking another's instead: what one of them does, the other knows. */
export const ownFileWorkState = (): OwnFileWork => work;
export const shareOwnFileWork = (shared: OwnFileWork): void => {
  work = shared;
};

const { apply } = Reflect;

/** Marks all that `fn` does with files. */
export const ownFileWork = <F extends (...args: never[]) => unknown>(fn: F): F =>
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

export const closeSync = ownFileWork(fs.closeSync);
export const existsSync = ownFileWork(fs.existsSync);
export const fstatSync = ownFileWork(fs.fstatSync) as typeof fs.fstatSync;
export const lstatSync = ownFileWork(fs.lstatSync as typeof fs.statSync);
export const mkdirSync = ownFileWork(fs.mkdirSync) as typeof fs.mkdirSync;
export const accessSync = ownFileWork(fs.accessSync);
export const openSync = ownFileWork(fs.openSync);
export const readdirSync = ownFileWork(fs.readdirSync) as typeof fs.readdirSync;
export const readFileSync = ownFileWork(fs.readFileSync) as typeof fs.readFileSync;
export const readlinkSync = ownFileWork(fs.readlinkSync) as typeof fs.readlinkSync;
export const readSync = ownFileWork(fs.readSync) as typeof fs.readSync;
export const readvSync = ownFileWork(fs.readvSync);
export const realpathSync = ownFileWork(fs.realpathSync as (path: string) => string);
export const nativeRealpathSync = ownFileWork(fs.realpathSync.native as (path: string) => string);
export const renameSync = ownFileWork(fs.renameSync);
export const rmSync = ownFileWork(fs.rmSync);
export const statSync = ownFileWork(fs.statSync as typeof fs.statSync);
export const unlinkSync = ownFileWork(fs.unlinkSync);
export const writeFileSync = ownFileWork(fs.writeFileSync);
export const writeSync = ownFileWork(fs.writeSync) as typeof fs.writeSync;
export const writevSync = ownFileWork(fs.writevSync);
