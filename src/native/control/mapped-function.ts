import { attempt } from '../../base/attempt.js';
import { openElf } from '../elf/elf-file.js';
import { functionAddress } from '../elf/symbols.js';
import { baseOf, mappedObjects, processMaps } from '../process/process-maps.js';

/**
 * The address of a function in a process, by its symbol, in the objects whose paths are asked for; undefined: none defines it.
 */
export function mappedFunction(pid: number, isObject: (path: string) => boolean, symbol: string): number | undefined {
  for (const object of mappedObjects(processMaps(pid))) {
    const { path } = object;
    if (!isObject(path)) continue;
    const base = baseOf(object);
    const elf = attempt(() => openElf(`/proc/${pid}/root${path}`, path));
    if (elf === undefined || base === undefined) continue;
    const address = functionAddress(elf, symbol);
    if (address !== undefined) return address - elf.span[0] + base;
  }
  return undefined;
}
