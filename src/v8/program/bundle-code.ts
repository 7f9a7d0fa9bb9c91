import Module from 'node:module';
import vm from 'node:vm';
import type { CacheFolder } from '../../base/cache/cache-folder.js';
import { closeQuietly, isPrivateFile, isTrustedFile } from '../../base/cache/open-private.js';
import { privateFolder, trustedFolder } from '../../base/private-folder.js';
import { shortHash } from '../../base/short-hash.js';
import { constants, lstatSync, openSync, readFileSync, readvSync } from '../../base/untraced-fs.js';

/** Taken before the program may put its own in their place. */
const { Script } = vm;
const { createCachedData } = Script.prototype;
const { equals, latin1Slice } = Buffer.prototype as Buffer & {
  latin1Slice(this: Uint8Array, start: number, end: number): string;
};

type Body = (
  this: unknown,
  exports: unknown,
  require: (id: string) => unknown,
  module: { exports: unknown },
  file: string,
  folder: string,
) => void;

/**
 * Bytes of the second copy that are compared at once: few enough to stay in the processor's cache, as memory that is touched
 * first costs more than reading.
 */
const PIECE = 1 << 16;

const MAGIC = 0x6e776f66;
/** Words at the beginning of each copy in a file. */
const HEADER = { magic: 0, code: 1, text: 2, isFull: 3 } as const;
const HEADER_WORDS = 4;
const HEADER_BYTES = HEADER_WORDS * 4;
/** Bytes of a copy: far more than the largest bundle, but no harm if a damaged folder says that a file is so large. */
const MOST_BYTES = 1 << 26;

/** V8 copies a code cache that does not begin at a word of its own. */
const padded = (bytes: number): number => (bytes + 7) & ~7;

/**
 * Parts of the text that V8 compiles: a bundle as one expression, a function with the parameters that Node gives to a CommonJS
 * module. V8's code of a whole script can be kept.
 */
const HEAD = '(function (exports, require, module, __filename, __dirname) { ';
const TAIL = '\n})';

/** Runs fentry's own bundles with V8's code of them. */
export interface BundleCode {
  /** Whether a bundle had to be compiled. */
  readonly isMissing: () => boolean;
  /**
   * The exports of a CommonJS bundle.
   * @param folder of the bundle, without a slash at the end
   * @param require loads what the bundle requires
   * @param later other bundles in the folder, which this one loads when it needs them (scripts/build/sharing-bundles.mjs): not by
   *   Node, whose loader calls what the program has put in the place of built-ins and of its own functions
   */
  readonly load: (folder: string, bundle: string, require: (id: string) => unknown, later?: readonly string[]) => unknown;
  /**
   * Stores V8's code of the bundles that were compiled, with all of their functions that have been called by now. A first start
   * calls others than later ones do.
   * @param write writes a file of the cache
   * @param isWarm whether the program's texts came from the cache: code that no such start has stored is then stored again
   */
  readonly store: (write: CacheFolder['write'], isWarm?: boolean) => void;
}

/** V8's code of a bundle, and the text that it was made of. */
interface StoredCode {
  readonly code: Uint8Array;
  readonly text: string;
  /** Whether it has what a start with a warm cache calls, or must stay as it is. */
  readonly isFull: boolean;
}

/**
 * What a file of the cache has; undefined if there is none, or one that is damaged.
 * @param uid the only user who may have written it
 * @param isPrepared root may, too
 */
export const storedCode = (path: string, uid: number, isPrepared = false): StoredCode | undefined => {
  let fd: number | undefined;
  try {
    const stat = lstatSync(path);
    const half = stat.size / 2;
    if (!(isPrepared ? isTrustedFile : isPrivateFile)(stat, uid) || half < HEADER_BYTES || half > MOST_BYTES) return undefined;
    const copy = new Uint8Array(half);
    const { buffer } = copy;
    fd = openSync(path, constants.O_RDONLY);
    if (readvSync(fd, [copy]) !== half) return undefined;
    const words = new Uint32Array(buffer, 0, HEADER_WORDS);
    const end = HEADER_BYTES + words[HEADER.code]!;
    const textEnd = end + words[HEADER.text]!;
    // Two copies may be the same and wrong: those of a file that a crash of the system has left full of zeros.
    if (words[HEADER.magic] !== MAGIC || end === HEADER_BYTES || textEnd === end || padded(textEnd) !== half) return undefined;
    const other = new Uint8Array(PIECE);
    for (let at = 0; at < half; at += PIECE) {
      const length = half - at < PIECE ? half - at : PIECE;
      const piece = length === PIECE ? other : new Uint8Array(other.buffer, 0, length);
      if (readvSync(fd, [piece]) !== length || !equals.call(piece, new Uint8Array(buffer, at, length))) return undefined;
    }
    return {
      code: new Uint8Array(buffer, HEADER_BYTES, end - HEADER_BYTES),
      text: latin1Slice.call(copy, end, textEnd),
      isFull: isPrepared || words[HEADER.isFull] === 1,
    };
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeQuietly(fd);
  }
};

/**
 * V8's code of fentry's own bundles is kept in the cache: compiling them takes longer than all else that fentry does when a
 * program starts. With it is the text that it was made of, which Node reads in many pieces where it is installed. A file has both
 * twice, and is used if both are the same: V8 does not check it, and a checksum takes three million instructions, as long as 3 %
 * of an empty program.
 *
 * This is compiled at each start (preload.ts), and so are the functions of Node's that it calls, each for some 80,000
 * instructions: it uses few, and is no class, of which V8 would compile the initializers of its fields, too.
 * @param path the folder of the cache; undefined: there is none, and each bundle is compiled
 * @param v8 name of the V8, `v8Name`
 * @param prepared the folders of prepared caches, which are asked first; undefined: there are none
 */
export const bundleCode = (path: string | undefined, v8: string, prepared?: readonly string[]): BundleCode => {
  const uid = process.geteuid?.() ?? 0;
  let cache: string | undefined;
  /** Bundles whose code was not there, or may lack functions. */
  const partial: { readonly name: string; readonly script: vm.Script; readonly text: string; readonly isMissing: boolean }[] = [];

  /** The code in the first of the prepared caches that has it. Not called where there is none. */
  const findPrepared = (name: string): StoredCode | undefined => {
    for (let i = 0; i < prepared!.length; i++) {
      const trusted = trustedFolder(prepared![i]!, uid);
      const stored = trusted === undefined ? undefined : storedCode(`${trusted}/${name}`, uid, true);
      if (stored !== undefined) return stored;
    }
    return undefined;
  };
  /** A cache is prepared without the program's options. V8 takes the code if none of them is one of its own that matters. */
  const withoutOptions = v8.slice(0, v8.lastIndexOf('-') + 1);
  const load = (folder: string, bundle: string, require: (id: string) => unknown, later: readonly string[] = []): unknown => {
    const file = `${folder}/${bundle}.cjs`;
    // V8's code names the file that it was made of, and stacks leave out functions by that name: another installation's is of no
    // use.
    const end = `-${shortHash(file)}.code`;
    const name = `${bundle}-${v8}${end}`;
    let stored = prepared && findPrepared(name);
    if (stored === undefined) {
      cache ??= (path && privateFolder(path, uid)) ?? '';
      if (cache !== '') stored = storedCode(`${cache}/${name}`, uid);
    }
    if (prepared && withoutOptions !== v8) stored ??= findPrepared(`${bundle}-${withoutOptions}${end}`);
    const code = stored?.code;
    // esbuild writes ASCII. Node reads utf8 faster than latin1.
    const text = stored?.text ?? HEAD + readFileSync(file, 'utf8') + TAIL;
    const script = new Script(text, { filename: file, ...(code && { cachedData: code as Buffer }) });
    const isMissing = code === undefined || script.cachedDataRejected === true;
    if (isMissing || stored?.isFull === false) partial.push({ name, script, text, isMissing });
    const requireAll = (id: string): unknown => {
      for (let i = 0; i < later.length; i++) if (id === `./${later[i]}.cjs`) return load(folder, later[i]!, require);
      return require(id);
    };
    // Of Node's class, which the bundle takes from it.
    const module = { exports: {} as unknown, constructor: Module };
    const body = script.runInThisContext() as Body;
    body.call(module.exports, module.exports, requireAll, module, file, folder);
    return module.exports;
  };

  return {
    isMissing: () => partial.some((bundle) => bundle.isMissing),
    load,
    store(write, isWarm = false) {
      for (const { name, script, text, isMissing } of partial.splice(0)) {
        if (!isMissing && !isWarm) continue;
        const code = createCachedData.call(script);
        const bytes = Buffer.from(text, 'latin1');
        const header = Uint32Array.of(MAGIC, code.length, bytes.length, isWarm ? 1 : 0);
        const end = HEADER_BYTES + code.length + bytes.length;
        const copy = [header, code, bytes, new Uint8Array(padded(end) - end)];
        write(name, [...copy, ...copy]);
      }
    },
  };
};
