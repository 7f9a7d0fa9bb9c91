import type { ElfFile } from '../../elf/elf-file.js';

export { SiteFinder } from './find-site.js';
export { JumpFinder, JumpSite } from './jump-finder.js';
export { CallSite } from './site.js';
export { stubNames } from './stubs.js';

/** Whether the last instruction before an address is a call (bl, blr). */
export function endsWithCall(elf: ElfFile, end: number): boolean {
  const word = elf.at(end - 4, 4)?.readUInt32LE() ?? 0;
  return (word & 0xfc000000) >>> 0 === 0x94000000 || (word & 0xfffffc1f) >>> 0 === 0xd63f0000;
}
