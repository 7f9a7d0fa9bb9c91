import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { statSync } from '../../base/untraced-fs.js';
import { size, string, u64 } from '../../tracepoint/fields.js';
import { isRequired, type LoadContext, type LoadResult } from '../loader/load-context.js';
import { replaceMethod } from '../realm/lookalike.js';
import { reflectApply, startsWith } from '../realm/primordials.js';
import { type Undo, undoAll } from '../realm/undo.js';
import { nodeEventSystem } from './node-event-system.js';

type ModuleEvents = {
  module_load: [name: string, size: number, time: number];
  module_free: [name: string];
};
type Load = (this: object, filename: unknown, ...rest: unknown[]) => unknown;
type LoadHook = (url: string, context: LoadContext, next: (url: string, context: LoadContext) => LoadResult) => LoadResult;
interface WithHooks {
  readonly registerHooks?: (hooks: { load: LoadHook }) => { deregister(): void };
}

const { Module } = nodeModule;
const { FinalizationRegistry: Registry } = globalThis;
const { byteLength } = Buffer;
const { isView } = ArrayBuffer;

/** What ES modules are made of: CommonJS, also when it is imported, comes by Module.prototype.load. */
const FORMATS: ReadonlySet<unknown> = new Set(['module', 'module-typescript', 'json', 'wasm']);

const bytesOfFile = (name: string): number => {
  try {
    return statSync(name).size;
  } catch {
    // No file, or one that the permission model hides.
    return 0;
  }
};

const bytesOf = (source: unknown): number => {
  if (typeof source === 'string') return byteLength(source);
  return isView(source) || source instanceof ArrayBuffer ? source.byteLength : 0;
};

/**
 * Modules that are loaded, and CommonJS modules that nothing refers to any more. The record of a CommonJS module comes when it
 * has run, behind those of the modules that it requires, and its time contains theirs; that of an ES module when its text was
 * read.
 */
export const module = nodeEventSystem<ModuleEvents>('module', {
  events: {
    module_load: {
      args: ['name', 'size', 'time'],
      fields: {
        name: string((name) => name),
        size: size((_name, bytes) => bytes),
        time: u64((_name, _bytes, time) => time),
      },
      print: '"%s size=%zu time=%lluns", __get_str(name), REC->size, REC->time',
    },
    module_free: {
      args: ['name'],
      fields: { name: string((name) => name) },
      print: '"%s", __get_str(name)',
    },
  },
  sources: [
    {
      events: ['module_load', 'module_free'],
      start({ module_load: loaded, module_free: gone }, { clock }) {
        let isOn = true;
        const freed = new Registry<string>((name) => {
          if (isOn) gone(name);
        });
        const load = (original: Load): Load =>
          ({
            load(this: object, filename: unknown, ...rest: unknown[]): unknown {
              const start = clock();
              const result = reflectApply(original, this, [filename, ...rest]);
              if (!isOn || typeof filename !== 'string') return result;
              loaded(filename, bytesOfFile(filename), Math.round(clock() - start));
              if (gone.enabled()) freed.register(this, filename);
              return result;
            },
          }).load;
        const hook: LoadHook = (url, context, next) => {
          const start = clock();
          const result = next(url, context);
          // A required ES module comes by Module.prototype.load, too.
          const isImported = !isRequired(context);
          if (isImported && FORMATS.has(result.format)) loaded(nameOf(url), bytesOf(result.source), Math.round(clock() - start));
          return result;
        };
        const undo = undoAll([replaceMethod<Load>(Module.prototype, 'load', load), hookLoads(hook)]);
        return () => {
          isOn = false;
          undo();
        };
      },
    },
  ],
});

/** Before Node 22.15, hooks of loads run in another thread: ES modules are not seen. */
function hookLoads(load: LoadHook): Undo {
  const hooks = (nodeModule as WithHooks).registerHooks?.({ load });
  return () => hooks?.deregister();
}

const nameOf = (url: string): string => (startsWith(url, 'file:') ? fileURLToPath(url) : url);
