import { dirname } from 'node:path';
import vm from 'node:vm';
import { readFileSync } from '../../../base/own-fs.js';
import type { CacheFolder } from '../loader/cache-folder.js';
import { readWhole } from '../loader/text-cache.js';

/** Taken before the program may put its own in their place. */
const { Script } = vm;
const { createCachedData } = Script.prototype;

type Body = (
  this: unknown,
  exports: unknown,
  require: NodeJS.Require,
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
  readonly #folder: CacheFolder;
  readonly #name: string;
  readonly #missing: { readonly name: string; readonly script: vm.Script }[] = [];

  /** @param name of the V8, `v8Name` */
  constructor(folder: CacheFolder, name: string) {
    this.#folder = folder;
    this.#name = name;
  }

  /** The exports of the CommonJS bundle in this file. */
  load(file: string, bundle: string, require: NodeJS.Require): unknown {
    const name = `${bundle}-${this.#name}.code`;
    const code = this.#folder.read(name, ({ fd, size }) => {
      const bytes = Buffer.allocUnsafeSlow(size);
      if (!readWhole(fd, bytes, 0)) return undefined;
      const half = size / 2;
      return bytes.subarray(0, half).equals(bytes.subarray(half)) ? bytes.subarray(0, half) : undefined;
    });
    const script = new Script(`${HEAD}${readFileSync(file, 'latin1')}${TAIL}`, {
      filename: file,
      ...(code && { cachedData: code }),
    });
    if (code === undefined || script.cachedDataRejected === true) this.#missing.push({ name, script });
    const module = { exports: {} as unknown };
    (script.runInThisContext() as Body).call(module.exports, module.exports, require, module, file, dirname(file));
    return module.exports;
  }

  /** Whether there is anything to store. */
  get isComplete(): boolean {
    return this.#missing.length === 0;
  }

  /** Stores V8's code of the bundles that were compiled, with all of their functions that have been called by now. */
  store(): void {
    for (const { name, script } of this.#missing.splice(0)) {
      const code = createCachedData.call(script);
      this.#folder.write(name, [code, code]);
    }
  }
}
