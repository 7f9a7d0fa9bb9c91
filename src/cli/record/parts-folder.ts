import { mkdtempSync, statSync } from 'node:fs';
import { UsageError } from '../verb.js';

/** Makes the folder for what is recorded meanwhile: where the recording is to be, so that a full disk shows early. */
export function partsFolder(output: string): string {
  const there = statSync(output, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw new UsageError(`-o ${output}: is a folder`);
  if (there?.isFile() === false) throw new UsageError(`-o ${output}: is no regular file`);
  try {
    return mkdtempSync(`${output}.parts-`);
  } catch (error) {
    throw new UsageError(`-o ${output}: nothing can be written there: ${(error as Error).message.replace(/, mkdtemp .*/, '')}`);
  }
}
