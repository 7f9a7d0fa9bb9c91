import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScriptFacts } from './conditions.js';
import { isTapsetUsed, type TapsetText } from './tapset-files.js';

/** The folder of fentry's own tapsets: beside the bundle, or beside this file. */
export const OWN_TAPSETS = fileURLToPath(new URL('tapset/', import.meta.url));

/** The files of a folder of tapsets, in the order of their names; of a folder that cannot be read, none. */
export function readTapsets(folder: string, facts: Pick<ScriptFacts, 'arch' | 'kernelVersion'>): readonly TapsetText[] {
  return namesIn(folder)
    .filter((name) => isTapsetUsed(name, facts))
    .sort()
    .map((name) => ({ path: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true }).map(String);
  } catch {
    return [];
  }
}
