import Module from 'node:module';
import { dirname } from 'node:path';
import vm from 'node:vm';
import { reflectApply } from '../realm/primordials.js';
import type { Realm } from '../realm/realm.js';
import type { ModuleText, ReadText } from './linker.js';
import { HEAD_LENGTH, isScript, scriptForm } from './module-text.js';

export type ModuleFunction = (this: unknown, ...args: unknown[]) => unknown;

/** The cell that a stub calls: it gives the module's function, and its `__filename` and `__dirname`. */
const SERVICE = 'm';
/** Strict, so that the module's function has no `caller`. */
const stubOf = (prefix: string): string =>
  `'use strict';var m=${prefix}${SERVICE}();return m.a(m.f,this,[exports,require,module,m.n,m.d])`;

/** Taken before the program may put its own in their place. */
const { Script } = vm;
const { runInThisContext, createCachedData } = Script.prototype;
const { toString: nativeText } = Function.prototype;
/** Node's own wrapper, around an empty text. */
const PLAIN_WRAPPER = '(function (exports, require, module, __filename, __dirname) { \n});';

/** A text that was compiled here. */
export interface CompiledText {
  readonly script: vm.Script;
  readonly run: ModuleFunction;
}

/** What was compiled. */
export const textOf = ({ run }: CompiledText): string => `(${reflectApply(nativeText, run, []) as string})`;

/** Node reads the source maps of what it compiles itself. */
const hasSourceMaps = (): boolean => (process as { sourceMapsEnabled?: boolean }).sourceMapsEnabled === true;

/** V8's code cache of all that was compiled of the text so far. */
export const codeOf = ({ script }: CompiledText): Uint8Array => reflectApply(createCachedData, script, []) as Uint8Array;

/**
 * Compiles CommonJS texts as scripts, which Node does by a function of V8's that takes no code cache. Node does all the rest: it
 * is given a stub to compile, of fentry's own name, and the stub calls the module's function.
 */
export class ModuleScripts {
  readonly #stubName: string;
  readonly #realm: Realm;
  readonly #compiled: (read: ReadText, made: CompiledText, isCodeUsed: boolean) => void;
  readonly #keepsCode: boolean;
  #isStopped = false;
  #pending: { readonly a: typeof reflectApply; readonly f: ModuleFunction; readonly n: string; readonly d: string } | undefined;

  /** @param keepsCode whether V8's code of texts that have none yet will be stored */
  constructor(
    ownPath: string,
    realm: Realm,
    keepsCode: boolean,
    compiled: (read: ReadText, made: CompiledText, isCodeUsed: boolean) => void,
  ) {
    this.#keepsCode = keepsCode;
    this.#stubName = `${ownPath}module-stub.cjs`;
    this.#realm = realm;
    this.#compiled = compiled;
    realm.cells.setCall(SERVICE, (() => {
      const pending = this.#pending;
      this.#pending = undefined;
      return pending;
    }) as never);
  }

  /**
   * The arguments of Node's own `Module.prototype._compile` with which it runs this text; undefined when Node must compile it. To
   * be called by whom Node has called: each frame more is one that a long stack lacks at its end.
   */
  argumentsFor(source: string, filename: string, made: ModuleText): readonly [string, string, string] | undefined {
    const f = this.#compile(source, filename, made);
    if (f === undefined) return undefined;
    this.#pending = { a: reflectApply, f, n: filename, d: dirname(filename) };
    return [stubOf(made.cells.prefix), this.#stubName, 'commonjs'];
  }

  /** From now on Node compiles all. */
  stop(): void {
    this.#isStopped = true;
  }

  #compile(source: string, filename: string, { text, read }: ModuleText): ModuleFunction | undefined {
    const { packed } = read;
    if (packed !== undefined ? !packed.isCompiled : !this.#keepsCode || read.mayImport || !isScript(source)) return undefined;
    if (this.#isStopped || hasSourceMaps() || Module.wrap('') !== PLAIN_WRAPPER) return undefined;
    let script: vm.Script;
    let run: ModuleFunction;
    try {
      script = new Script(packed?.text ?? scriptForm(text), {
        filename,
        columnOffset: -HEAD_LENGTH,
        ...(packed?.code && { cachedData: packed.code as Buffer }),
      });
      run = reflectApply(runInThisContext, script, []) as ModuleFunction;
    } catch {
      // V8 knows better than the parser: its error must be about the module.
      return undefined;
    }
    // Places in the script are counted from its beginning, those of a module from the text's.
    this.#realm.texts.get(filename)?.putBehind?.(HEAD_LENGTH);
    const isCodeUsed = packed?.code !== undefined && script.cachedDataRejected === false;
    this.#compiled(read, { script, run }, isCodeUsed);
    return run;
  }
}
