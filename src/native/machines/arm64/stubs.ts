import { type ElfFile, SECTION_FLAG } from '../../elf/elf-file.js';
import { isLandingPad } from './encode.js';

/** The stubs of the linker that jump to functions of other objects: the name of each, by its address. */
export function stubNames(elf: ElfFile, slots: ReadonlyMap<number, string>): Map<number, string> {
  const names = new Map<number, string>();
  for (const section of elf.sections) {
    if (!(section.flags & SECTION_FLAG.execute) || !section.name.startsWith('.plt')) continue;
    const code = elf.contents(section);
    for (let at = 0; at + 8 <= code.length; at += 4) {
      const [page, load] = [code.readUInt32LE(at), code.readUInt32LE(at + 4)];
      // adrp x16, page; ldr x17, [x16, offset]
      if ((page & 0x9f00001f) >>> 0 !== 0x90000010 || (load & 0xffc003ff) >>> 0 !== 0xf9400211) continue;
      const pages = ((((page >>> 5) & 0x7ffff) << 13) >> 11) | ((page >>> 29) & 3);
      const here = section.address + at;
      const name = slots.get(here - (here % 4096) + pages * 4096 + ((load >>> 10) & 0xfff) * 8);
      if (name === undefined) continue;
      const hasPad = at >= 4 && isLandingPad(code.readUInt32LE(at - 4));
      names.set(here - (hasPad ? 4 : 0), name);
    }
  }
  return names;
}
