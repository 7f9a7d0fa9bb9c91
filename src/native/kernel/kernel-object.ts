import { TraceError } from '../../base/errno.js';
import { type ElfFile, SECTION } from '../elf/elf-file.js';
import { PROGBITS, SYMBOL_BYTES, withSections } from '../elf/with-sections.js';
import { type KernelSymbol, kallsyms } from './kallsyms.js';

/** st_info of a function that other objects see. */
const GLOBAL_FUNCTION = 0x12;
const STRTAB = 3;

/** The linker's marks around the table of sites, which it puts into the data of the kernel's start. */
const SITES = ['__start_mcount_loc', '__stop_mcount_loc'] as const;

/** Says whether an object is a kernel: no other has the symbols that modules may use. */
export const isKernel = (elf: ElfFile): boolean => elf.section('__ksymtab') !== undefined && elf.type === 'executable';

/**
 * The bytes of a kernel's stripped ELF file with the two sections that it lacks to be an object like all others: the functions of
 * its own table of symbols as `.symtab`, and `__mcount_loc`, which is the part of its data between two of these symbols.
 *
 * @throws TraceError ENOEXEC if the symbols are not found
 */
export function kernelObject(elf: ElfFile): Buffer {
  const rodata = elf.section('.rodata');
  const symbols = rodata === undefined ? [] : kallsyms(elf.contents(rodata));
  if (symbols.length === 0) {
    throw new TraceError(
      'ENOEXEC',
      `${elf.file} is a kernel whose symbols are not found: fentry knows their form in Linux 6.1 on x86-64`,
    );
  }
  const [start, stop] = SITES.map((mark) => symbols.find(({ name }) => name === mark)?.address);
  const sites = start === undefined || stop === undefined ? undefined : elf.at(start, stop - start);
  const [table, strings] = symbolTable(symbols);
  const next = elf.sections.length;
  return withSections(elf, elf.bytes, [
    { name: '.symtab', type: SECTION.symtab, link: next + 1, bytes: table },
    { name: '.strtab', type: STRTAB, bytes: strings },
    ...(sites === undefined ? [] : [{ name: '__mcount_loc', type: PROGBITS, address: start!, bytes: sites }]),
  ]);
}

/** A symbol table of the functions, and its strings. */
function symbolTable(symbols: readonly KernelSymbol[]): readonly [table: Buffer, strings: Buffer] {
  const functions = symbols.filter(({ type }) => /^[tw]$/i.test(type));
  const table = Buffer.alloc((functions.length + 1) * SYMBOL_BYTES);
  const strings: string[] = ['\0'];
  let length = 1;
  for (const [i, { name, address }] of functions.entries()) {
    const at = (i + 1) * SYMBOL_BYTES;
    table.writeUInt32LE(length, at);
    table[at + 4] = GLOBAL_FUNCTION;
    // Some section: it is defined here.
    table.writeUInt16LE(1, at + 6);
    table.writeBigInt64LE(BigInt(address), at + 8);
    strings.push(`${name}\0`);
    length += name.length + 1;
  }
  return [table, Buffer.from(strings.join(''), 'latin1')];
}
