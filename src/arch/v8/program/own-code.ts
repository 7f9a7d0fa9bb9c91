import Module from 'node:module';
import vm from 'node:vm';
import { constants, readFileSync } from '../../../base/own-fs.js';
import { privateFolder } from '../../../base/private-folder.js';
import { shortHash } from '../../../base/short-hash.js';
import type { CacheFolder } from '../loader/cache-folder.js';
import { openOwn, readWhole } from '../loader/open-own.js';

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

/** What Node puts around a CommonJS text. */
const HEAD = '(function (exports, require, module, __filename, __dirname) { ';
const TAIL = '\n});';

/**
 * Runs fentry's own bundles with V8's code of them, which is kept in the cache: compiling them takes longer than all else that
 * fentry does when a program starts. A file has the code twice, and is used if both are the same: V8 does not check it, and a
 * checksum would take longer.
 */
export class OwnCode {
  readonly #uid = process.geteuid?.() ?? 0;
  readonly #folder: string | undefined;
  readonly #name: string;
  readonly #missing: { readonly name: string; readonly script: vm.Script }[] = [];

  /**
   * @param path the folder of the cache
   * @param name of the V8, `v8Name`
   */
  constructor(path: string, name: string) {
    this.#folder = privateFolder(path, this.#uid);
    this.#name = name;
  }

  /** Whether a bundle had to be compiled. */
  get isMissing(): boolean {
    return this.#missing.length > 0;
  }

  /**
   * The exports of a bundle, which loads another one when it needs that (scripts/build/late-bundle.mjs).
   * @param folder of both, without a slash at the end
   * @param require loads all else that they require
   */
  loadWithLate(folder: string, bundle: string, late: string, require: (id: string) => unknown): unknown {
    const load = (name: string, own: (id: string) => unknown): unknown => this.load(`${folder}/${name}.cjs`, name, own);
    return load(bundle, (id) => (id === `./${late}.cjs` ? load(late, require) : require(id)));
  }

  /**
   * The exports of the CommonJS bundle in this file.
   * @param require loads what the bundle requires
   */
  load(file: string, bundle: string, require: (id: string) => unknown): unknown {
    // V8's code names the file that it was made of, and stacks leave out functions by that name: another installation's is of no use.
    const name = `${bundle}-${this.#name}-${shortHash(file)}.code`;
    const code = this.#read(name);
    // esbuild writes ASCII. Node reads utf8 faster than latin1.
    const script = new Script(`${HEAD}${readFileSync(file, 'utf8')}${TAIL}`, {
      filename: file,
      ...(code && { cachedData: code }),
    });
    if (code === undefined || script.cachedDataRejected === true) this.#missing.push({ name, script });
    // Of Node's class, which the bundle takes from it.
    const module = { exports: {} as unknown, constructor: Module };
    (script.runInThisContext() as Body).call(
      module.exports,
      module.exports,
      require,
      module,
      file,
      file.slice(0, file.lastIndexOf('/')),
    );
    return module.exports;
  }

  #read(name: string): Buffer | undefined {
    if (this.#folder === undefined) return undefined;
    return openOwn(`${this.#folder}/${name}`, constants.O_RDONLY, this.#uid, ({ fd, size }) => {
      const bytes = Buffer.allocUnsafeSlow(size);
      if (!readWhole(fd, bytes, 0)) return undefined;
      const half = size / 2;
      const code = bytes.subarray(0, half);
      return code.equals(bytes.subarray(half)) ? code : undefined;
    });
  }

  /**
   * Stores V8's code of the bundles that were compiled, with all of their functions that have been called by now.
   * @param write writes a file of the cache
   */
  store(write: CacheFolder['write']): void {
    for (const { name, script } of this.#missing.splice(0)) {
      const code = createCachedData.call(script);
      write(name, [code, code]);
    }
  }
}
