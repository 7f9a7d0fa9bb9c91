import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type MappedRange, processMaps } from '../../src/native/process/process-maps.js';
import { ProcessMemory } from '../../src/native/process/process-memory.js';

/** The names of mapped files whose text is not what the file has. */
export function changedObjects(pid: number): readonly string[] {
  const memory = new ProcessMemory(pid);
  const isChanged = ({ start, end, offset, path }: MappedRange): boolean => {
    const text = memory.read(start, end - start);
    const file = readFileSync(path).subarray(offset, offset + text.length);
    return Buffer.compare(file, text.subarray(0, file.length)) !== 0;
  };
  const objects = processMaps(pid).filter(({ path, permissions }) => permissions === 'r-xp' && existsSync(path));
  const names = objects.filter(isChanged).map(({ path }) => basename(path));
  memory.close();
  return names.sort();
}
