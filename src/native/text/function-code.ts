import type { ElfFile } from '../elf/elf-file.js';
import type { ElfSymbol } from '../elf/symbols.js';
import { MACHINES } from '../machines/machines.js';
import type { CodeRange } from './object-functions.js';
import { wholeName } from './symbol-name.js';

/**
 * The ranges of the addresses at which a thread that has begun to run a function can be, or to which it returns; addresses of the
 * file. With the parts that the compiler has moved away from the function (`.cold`).
 */
export function functionCode(elf: ElfFile, symbols: readonly ElfSymbol[], { start, end }: CodeRange): readonly CodeRange[] {
  const names = new Set(symbols.filter(({ address }) => address === start).map(({ name }) => name));
  const parts = symbols.filter(({ name }) => wholeName(name) !== name && names.has(wholeName(name)));
  return [
    { start: start + 1, end: returnEnd(elf, end) },
    ...parts.map(({ address, size }) => ({ start: address, end: returnEnd(elf, address + size) })),
  ];
}

/**
 * A call that does not return may be the last instruction: it would return to what follows, which is mostly another function's
 * start.
 */
function returnEnd(elf: ElfFile, end: number): number {
  return MACHINES[elf.machine].sites.endsWithCall(elf, end) ? end + 1 : end;
}
