import Module from 'node:module';
import { pathToFileURL } from 'node:url';
import { traceClock } from '../../ring-buffer/clock.js';
import { replaceMethod } from '../realm/lookalike.js';
import { orWithOwnBuiltIns } from '../realm/own-built-ins.js';
import { defineProperty, reflectApply } from '../realm/primordials.js';
import type { Undo } from '../realm/undo.js';
import type { Linker, SourceReading } from './linker.js';
import type { ModuleReads } from './module-reads.js';
import type { ModuleScripts } from './module-scripts.js';
import { packageNameOf } from './package-name.js';
import { isTypeScript, strippedFormat, stripTypes } from './typescript.js';

type Compile = (this: object, content: unknown, filename: unknown, format?: unknown) => unknown;

/** The id of the module of the program's main file. */
const MAIN_ID = '.';
/** Node's names for its code around that of `-e`, of stdin and of a worker's text. */
const EVAL_WRAPPER = /^\[(eval|stdin|worker eval)\]-wrapper$/;

/**
 * Gives sites to what `require` loads, in `Module.prototype._compile`: the last place before V8, after every require hook,
 * while Node's search for a file's exported names has read the original. ES modules that are required come this way too.
 *
 * @param mainLoaded called when the program's main file has run; must not throw
 * @param reads present if it is asked how modules are loaded (`module_sites`)
 */
export const hookCommonJs = (
  linker: Linker,
  scripts: ModuleScripts | undefined,
  mainLoaded: () => void,
  reads: ModuleReads | undefined,
): Undo => {
  /** The files whose code runs, each required by the one before; only if it is asked how modules are loaded. */
  const running: string[] = [];
  /** What Node's own function is called with; undefined: with what it was to be called with. */
  const argumentsFor = (content: string, filename: string, format: string | undefined): readonly unknown[] | undefined => {
    if ((filename[0] === '[' && EVAL_WRAPPER.test(filename)) || !linker.admits(filename, content)) return undefined;
    let source = content;
    let kind = format;
    if (isTypeScript(format)) {
      // Node refuses TypeScript inside node_modules; its own error must appear.
      const stripped = packageNameOf(filename) === '' ? stripTypes(content, filename) : undefined;
      if (stripped === undefined) return undefined;
      source = stripped;
      kind = strippedFormat(format);
    }
    const readings: SourceReading[] = [];
    if (kind !== 'module') readings.push({ type: 'commonjs', name: filename });
    if (kind === 'module' || kind === undefined) readings.push({ type: 'module', name: () => pathToFileURL(filename).href });
    const loading = reads && { importer: running[running.length - 1], readTime: reads.take(filename) };
    const begun = reads === undefined ? 0 : traceClock();
    const made = linker.link(source, filename, readings, loading);
    if (made === undefined) return undefined;
    if (kind !== 'module') reads?.compiles(made.read.firstFunction, begun);
    return scripts?.argumentsFor(source, filename, made) ?? [made.text, filename, kind];
  };
  const compile = (Module.prototype as { _compile?: Compile })._compile;
  const undo = replaceMethod<Compile>(
    Module.prototype,
    '_compile',
    (native) =>
      function (this: object, content: unknown, filename: unknown, format?: unknown): unknown {
        let args: readonly unknown[] | undefined;
        try {
          if (typeof content === 'string' && typeof filename === 'string')
            args = orWithOwnBuiltIns(() => argumentsFor(content, filename, format as string | undefined));
        } catch {
          args = undefined;
        }
        const depth = running.length;
        if (reads !== undefined) running[depth] = typeof filename === 'string' ? filename : '';
        try {
          return reflectApply(native, this, (args ?? [content, filename, format]) as [unknown, unknown]);
        } finally {
          running.length = depth;
          if ((this as { id?: unknown }).id === MAIN_ID) mainLoaded();
        }
      },
  );
  // From V8 14 on, a stack names a nameless function by the property that holds it, which this one has just lost.
  if (compile) defineProperty(compile, 'name', { value: '_compile', configurable: true });
  return undo;
};
