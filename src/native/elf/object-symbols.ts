import { debugFile } from './build-id.js';
import { type ElfFile, openElf } from './elf-file.js';
import { type ElfSymbol, functionSymbols } from './symbols.js';

/** The file with the symbols of an object, if that was stripped and its package of debug symbols is installed. */
export const symbolFile = (elf: ElfFile): string | undefined =>
  elf.section('.symtab') === undefined ? debugFile(elf) : undefined;

/** The functions of an object, from its file of debug symbols if that is installed and the object was stripped. */
export function symbolsOf(elf: ElfFile): ElfSymbol[] {
  const path = symbolFile(elf);
  return [...functionSymbols(path === undefined ? elf : openElf(path))];
}
