import * as module from 'node:module';
import { fileURLToPath } from 'node:url';
import { TextDecoder } from 'node:util';
import { attempt } from '../../base/attempt.js';
import type { SourceType } from '../instrument/index.js';
import { orWithOwnBuiltIns } from '../realm/own-built-ins.js';
import type { Undo } from '../realm/undo.js';
import type { Linker } from './linker.js';
import { isRequired, type LoadContext, type LoadResult } from './load-context.js';
import type { ModuleReads } from './module-reads.js';
import { packageNameOf } from './package-name.js';
import { stripTypes } from './typescript.js';

type SyncLoad = (url: string, context: LoadContext, next: (url: string, context?: LoadContext) => LoadResult) => LoadResult;
type SyncResolve = (name: string, context: unknown, next: (name: string, context?: unknown) => unknown) => unknown;
interface Hooks {
  deregister(): void;
}
type RegisterHooks = (hooks: { load?: SyncLoad; resolve?: SyncResolve }) => Hooks;

/** Node's function, as it was when fentry was loaded; undefined before 22.15. */
export const registerHooks = (module as unknown as { registerHooks?: RegisterHooks }).registerHooks;

/**
 * Node 22 waits for the hooks of `module.register()` without blocking the thread, unless it has load hooks in this thread; later
 * ones always block.
 */
export const loadsFromHooksThread = process.version.startsWith('v22.');

let decoder: InstanceType<typeof TextDecoder> | undefined;

/** The text of a load hook's source, as Node decodes it. */
export const sourceText = (source: unknown): string | undefined =>
  typeof source === 'string'
    ? source
    : source instanceof ArrayBuffer || ArrayBuffer.isView(source)
      ? (decoder ??= new TextDecoder()).decode(source as Uint8Array)
      : undefined;

/** Node 22 runs CommonJS TypeScript that is imported, the main file too, without Module.prototype._compile. */
const typeScriptPastCompile = process.version.startsWith('v22.');

/** How to parse a load hook's result, if it gets sites here; other CommonJS gets them in Module.prototype._compile. */
const kindOf = (format: string | null | undefined): SourceType | undefined => {
  if (format === 'module' || format === 'module-typescript') return 'module';
  return typeScriptPastCompile && format === 'commonjs-typescript' ? 'commonjs' : undefined;
};

/** Changes the result of all other load hooks. Only modules from files get sites. */
export const withSites = (linker: Linker, url: string, result: LoadResult, reads?: ModuleReads): LoadResult => {
  try {
    return orWithOwnBuiltIns(() => linked(linker, url, result, reads));
  } catch {
    return result;
  }
};

const linked = (linker: Linker, url: string, result: LoadResult, reads?: ModuleReads): LoadResult => {
  const { format } = result;
  const kind = kindOf(format);
  if (kind === undefined || !url.startsWith('file:') || url.includes('?iitm=')) return result;
  const path = fileURLToPath(url);
  if (!linker.admits(path)) return result;
  let source = sourceText(result.source);
  if (source !== undefined && format !== kind) source = packageNameOf(path) === '' ? stripTypes(source, path) : undefined;
  const reading = { type: kind, name: kind === 'module' ? url : path };
  const text = source === undefined ? undefined : linker.link(source, path, [reading], { readTime: reads?.take(path) });
  if (text === undefined) return result;
  if (kind === 'module') reads?.handOn(text.read.firstFunction);
  return { ...result, format: kind, source: text.text };
};

/** Loading must not fail by it: a URL that has no path is Node's to refuse. */
const pathOf = (url: string): string | undefined =>
  url.startsWith('file:') ? attempt(() => orWithOwnBuiltIns(() => fileURLToPath(url))) : undefined;

/**
 * Gives sites to ES modules by a hook in this thread that runs before every other one (the last registered hook is called
 * first). `again` registers it again, after the program has registered another.
 * @param reads present if it is asked how modules are loaded (`module_sites`)
 */
export const hookEsModules = (
  linker: Linker,
  register: RegisterHooks,
  reads?: ModuleReads,
): { readonly again: () => void; readonly undo: Undo } => {
  const load: SyncLoad = (url, context, next) => {
    reads?.step();
    const result = reads === undefined ? next(url, context) : reads.measure(() => next(url, context), pathOf(url));
    // A required module is instrumented in Module.prototype._compile, like everything that is required.
    return isRequired(context) ? result : withSites(linker, url, result, reads);
  };
  const resolve: SyncResolve = (name, context, next) => {
    reads!.step();
    return next(name, context);
  };
  const all = reads === undefined ? { load } : { load, resolve };
  let hooks = register(all);
  return {
    again() {
      hooks.deregister();
      hooks = register(all);
    },
    undo: () => hooks.deregister(),
  };
};
