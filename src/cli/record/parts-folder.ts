import { mkdtempSync, readFileSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../../base/pause.js';
import { hasEnded, ownIdentity, parseIdentity } from '../../recording/process-identity.js';
import { UsageError } from '../verb.js';

/** The file that names the process that will make a recording from the folder. */
const RECORDER = 'recorder';

/** The process that will make a recording from the folder; undefined if it has ended or never existed. */
export function recorderOf(folder: string): number | undefined {
  try {
    const recorder = parseIdentity(readFileSync(join(folder, RECORDER), 'utf8'));
    return recorder === undefined || hasEnded(recorder) ? undefined : recorder.pid;
  } catch {
    return undefined;
  }
}

/** The message about a folder whose recording could not be made. */
export const toRestore = (folder: string): string => `the recorded parts are in ${folder}: fentry restore ${folder}`;

/** How often a folder that does not get empty is removed again, and the milliseconds between. */
const REMOVAL = { tries: 100, pause: 20 } as const;

/** Removes the folder. A process that outlives the command may just have begun another part in it: it stops within a second. */
export function removeParts(folder: string): void {
  for (let left: number = REMOVAL.tries; ; left--) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || left === 0) throw error;
    }
    pause(REMOVAL.pause);
  }
}

/** The file at a path; undefined if there is none, or cannot be: that shows when the folder is created. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Creates the folder for the parts, beside the future recording, so that a full disk shows early. */
export function partsFolder(output: string): string {
  if (output === '') throw new UsageError('-o needs the name of a file');
  const there = statOf(output);
  if (there?.isDirectory()) throw new UsageError(`-o ${output} is a folder`);
  if (there?.isFile() === false) throw new UsageError(`-o ${output} is not a regular file`);
  let folder: string | undefined;
  try {
    folder = mkdtempSync(`${output}.parts-`);
    writeFileSync(join(folder, RECORDER), ownIdentity(), { mode: 0o600 });
    return folder;
  } catch (error) {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    throw new UsageError(`-o ${output} cannot be written: ${(error as Error).message.replace(/, mkdtemp .*/, '')}`);
  }
}
