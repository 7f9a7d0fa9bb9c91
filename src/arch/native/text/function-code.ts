import type { ElfFile } from '../elf/elf-file.js';
import type { ElfSymbol } from '../elf/symbols.js';
import type { CodeRange } from './object-functions.js';
import { wholeName } from './symbol-name.js';

/** x86-64's direct call. */
const CALL = { OPCODE: 0xe8, BYTES: 5 } as const;

/**
 * The ranges of the addresses at which a thread that has begun to run a function can be, or to which it returns; addresses of the file. With the parts
 * that the compiler has moved away from the function (`.cold`).
 */
export function functionCode(elf: ElfFile, symbols: readonly ElfSymbol[], { start, end }: CodeRange): readonly CodeRange[] {
  const names = new Set(symbols.filter(({ address }) => address === start).map(({ name }) => name));
  const parts = symbols.filter(({ name }) => wholeName(name) !== name && names.has(wholeName(name)));
  return [
    { start: start + 1, end: returnEnd(elf, end) },
    ...parts.map(({ address, size }) => ({ start: address, end: returnEnd(elf, address + size) })),
  ];
}

/** A call that does not return may be the last instruction: it would return to what follows, which is mostly another function's start. */
function returnEnd(elf: ElfFile, end: number): number {
  return elf.at(end - CALL.BYTES, 1)?.[0] === CALL.OPCODE ? end + 1 : end;
}
