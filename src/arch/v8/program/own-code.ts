import Module from 'node:module';
import vm from 'node:vm';
import type { CacheFolder } from '../../../base/cache/cache-folder.js';
import { type OpenFile, openOwn, readWhole } from '../../../base/cache/open-own.js';
import { constants, readFileSync } from '../../../base/own-fs.js';
import { privateFolder } from '../../../base/private-folder.js';
import { shortHash } from '../../../base/short-hash.js';

/** Taken before the program may put its own in their place. */
const { Script } = vm;
const { createCachedData } = Script.prototype;

type Body = (
  this: unknown,
  exports: unknown,
  require: (id: string) => unknown,
  module: { exports: unknown },
  file: string,
  folder: string,
) => void;

/** Bytes of V8's code that are compared at once: few enough to stay in the processor's cache. */
const PIECE = 1 << 16;

/** Runs fentry's own bundles with V8's code of them. Each is one expression, a function (scripts/build/as-function.mjs). */
export interface OwnCode {
  /** Whether a bundle had to be compiled. */
  readonly isMissing: () => boolean;
  /**
   * The exports of the CommonJS bundle in this file.
   * @param require loads what the bundle requires
   */
  readonly load: (file: string, bundle: string, require: (id: string) => unknown) => unknown;
  /**
   * The exports of a bundle, which loads another one when it needs that (scripts/build/late-bundle.mjs).
   * @param folder of both, without a slash at the end
   * @param require loads all else that they require
   */
  readonly loadWithLate: (folder: string, bundle: string, late: string, require: (id: string) => unknown) => unknown;
  /**
   * Stores V8's code of the bundles that were compiled, with all of their functions that have been called by now.
   * @param write writes a file of the cache
   */
  readonly store: (write: CacheFolder['write']) => void;
}

/**
 * V8's code of fentry's own bundles is kept in the cache: compiling them takes longer than all else that fentry does when a program
 * starts. A file has the code twice, and is used if both are the same: V8 does not check it, and a checksum would take longer.
 *
 * This is compiled at each start (preload.ts), and therefore no class: V8 would compile the initializers of its fields, too.
 * @param path the folder of the cache; undefined: there is none, and each bundle is compiled
 * @param v8 name of the V8, `v8Name`
 */
export const ownCode = (path: string | undefined, v8: string): OwnCode => {
  const uid = process.geteuid?.() ?? 0;
  const folder = path === undefined ? undefined : privateFolder(path, uid);
  const missing: { readonly name: string; readonly script: vm.Script }[] = [];

  const read = ({ fd, size }: OpenFile): Buffer | undefined => {
    const half = size / 2;
    const code = Buffer.allocUnsafeSlow(half);
    if (!readWhole(fd, code, 0)) return undefined;
    const piece = Buffer.allocUnsafeSlow(Math.min(PIECE, half));
    for (let at = 0; at < half; at += PIECE) {
      const other = piece.subarray(0, Math.min(PIECE, half - at));
      if (!readWhole(fd, other, half + at) || !other.equals(code.subarray(at, at + PIECE))) return undefined;
    }
    return code;
  };

  const load = (file: string, bundle: string, require: (id: string) => unknown): unknown => {
    // V8's code names the file that it was made of, and stacks leave out functions by that name: another installation's is of no use.
    const name = `${bundle}-${v8}-${shortHash(file)}.code`;
    const code = folder === undefined ? undefined : openOwn(`${folder}/${name}`, constants.O_RDONLY, uid, read);
    // esbuild writes ASCII. Node reads utf8 faster than latin1.
    const script = new Script(readFileSync(file, 'utf8'), {
      filename: file,
      ...(code && { cachedData: code }),
    });
    if (code === undefined || script.cachedDataRejected === true) missing.push({ name, script });
    // Of Node's class, which the bundle takes from it.
    const module = { exports: {} as unknown, constructor: Module };
    const body = script.runInThisContext() as Body;
    body.call(module.exports, module.exports, require, module, file, file.slice(0, file.lastIndexOf('/')));
    return module.exports;
  };

  return {
    isMissing: () => missing.length > 0,
    load,
    loadWithLate: (own, bundle, late, require) =>
      load(`${own}/${bundle}.cjs`, bundle, (id) =>
        id === `./${late}.cjs` ? load(`${own}/${late}.cjs`, late, require) : require(id),
      ),
    store(write) {
      for (const { name, script } of missing.splice(0)) {
        const code = createCachedData.call(script);
        write(name, [code, code]);
      }
    },
  };
};
