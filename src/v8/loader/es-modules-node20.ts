import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TextDecoder } from 'node:util';
import { replaceMethod } from '../realm/lookalike.js';
import { reflectApply } from '../realm/primordials.js';
import type { Undo } from '../realm/undo.js';
import { calledFrom } from './caller.js';
import type { Linker } from './linker.js';

type ReadFile = (this: unknown, path: unknown, options?: unknown) => Promise<unknown>;

const LOADER = 'node:internal/modules/esm/load';

const { readFileSync, realpathSync, statSync } = fs;

/** The `type` of the nearest package.json, which decides what a `.js` file is. */
const packageType = (path: string): unknown => {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    try {
      return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { type?: unknown }).type;
    } catch {
      // There is none here, or Node could not read it either.
    }
    if (folder === dirname(folder) || folder.endsWith('/node_modules')) return undefined;
  }
};

/** Whether Node may run a program's main file as an ES module; also one that Node searches for. */
export const isModuleFile = (path = ''): boolean => {
  if (path.endsWith('.cjs')) return false;
  try {
    const file = realpathSync.native(path);
    return !statSync(file).isFile() || file.endsWith('.mjs') || packageType(file) === 'module';
  } catch {
    return true;
  }
};

/** Whether Node will run this file as an ES module, if its loader has read it for an `import`. */
const isModule = (path: string, source: string, linker: Linker): boolean =>
  path.endsWith('.mjs') || (path.endsWith('.js') && (packageType(path) === 'module' || !linker.parses(source, 'commonjs')));

/**
 * Node 20 has no load hooks in the program's thread, and its hooks thread costs more than everything else that fentry does at
 * start. But its ES module loader reads files with the public `fs.promises.readFile`: modules get their sites there, only if
 * the loader is the reader.
 */
export const hookEsModulesOfNode20 = (linker: Linker): Undo =>
  replaceMethod<ReadFile>(fs.promises, 'readFile', (native) => {
    const withSites = async (reading: Promise<unknown>, url: URL): Promise<unknown> => {
      const bytes = await reading;
      try {
        const path = fileURLToPath(url);
        if (!linker.admits(path) || !(bytes instanceof Uint8Array)) return bytes;
        const source = new TextDecoder().decode(bytes);
        if (!isModule(path, source, linker)) return bytes;
        const text = linker.link(source, path, [{ type: 'module', name: url.href }]);
        return text === undefined ? bytes : Buffer.from(text.text, 'utf8');
      } catch {
        return bytes;
      }
    };
    const standIn = {
      readFile(this: unknown, path: unknown, options?: unknown): Promise<unknown> {
        const reading = reflectApply(native, this, [path, options]) as Promise<unknown>;
        const byLoader = options === undefined && path instanceof URL && calledFrom(LOADER, standIn.readFile);
        return byLoader ? withSites(reading, path) : reading;
      },
    };
    return standIn.readFile;
  });
