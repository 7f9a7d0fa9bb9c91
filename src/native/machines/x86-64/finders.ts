import type { ElfFile } from '../../elf/elf-file.js';

export { SiteFinder } from './find-site.js';
export { JumpFinder } from './jump-finder.js';
export { JumpSite } from './jump-site.js';
export { CallSite } from './site.js';
export { stubNames } from './stubs.js';

/** Whether the last instruction before an address is a direct call. */
export const endsWithCall = (elf: ElfFile, end: number): boolean => elf.at(end - 5, 1)?.[0] === 0xe8;
