import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt } from '../../base/attempt.js';
import type { ScriptFacts } from './conditions.js';
import { isTapsetUsed, type TapsetText } from './tapset-files.js';

/** The folder of fentry's own tapsets: beside the bundle, or beside this file. */
export const OWN_TAPSETS = fileURLToPath(new URL('tapset/', import.meta.url));

/** The files of a folder of tapsets, in the order of their names; of a folder that cannot be read, none. */
export function readTapsets(folder: string, facts: Pick<ScriptFacts, 'arch' | 'kernelVersion'>): readonly TapsetText[] {
  return namesIn(folder)
    .filter((name) => isTapsetUsed(name, facts))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      return isFile(path) ? [{ path, text: readFileSync(path, 'utf8') }] : [];
    });
}

/** Whether it can be read to its end: a named pipe would keep the thread waiting, and a link may lead nowhere. */
const isFile = (path: string): boolean => attempt(() => statSync(path).isFile()) === true;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true }).map(String);
  } catch {
    return [];
  }
}
