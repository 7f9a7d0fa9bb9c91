import { readFileSync } from 'node:fs';
import { ElfFile } from '../elf/elf-file.js';
import { linkRelocatable } from '../elf/link-relocatable.js';
import { isBootImage, unpackBootImage } from './boot-image.js';
import { isKernel, kernelObject } from './kernel-object.js';

/**
 * The object of a file: a kernel as it is booted, its ELF file, a relocatable object as if it were linked, or any other. @throws
 * TraceError ENOEXEC for any other file
 */
export function objectFile(file: string): ElfFile {
  const bytes = readFileSync(file);
  const elf = new ElfFile(isBootImage(bytes) ? unpackBootImage(bytes, file) : bytes, file);
  if (elf.type === 'relocatable') return new ElfFile(linkRelocatable(elf), file);
  return isKernel(elf) && elf.section('.symtab') === undefined ? new ElfFile(kernelObject(elf), file) : elf;
}
