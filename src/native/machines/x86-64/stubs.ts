import { type ElfFile, SECTION_FLAG } from '../../elf/elf-file.js';

/** The stubs of the linker that jump to functions of other objects: the name of each, by its address. */
export function stubNames(elf: ElfFile, slots: ReadonlyMap<number, string>): Map<number, string> {
  const names = new Map<number, string>();
  for (const section of elf.sections) {
    if (!(section.flags & SECTION_FLAG.execute) || !section.name.startsWith('.plt')) continue;
    const code = elf.contents(section);
    // jmp *distance(%rip), after an endbr64 and a bnd prefix where the linker writes them.
    for (let at = code.indexOf('ff25', 0, 'hex'); at >= 0 && at + 6 <= code.length; at = code.indexOf('ff25', at + 1, 'hex')) {
      const name = slots.get(section.address + at + 6 + code.readInt32LE(at + 2));
      if (name === undefined) continue;
      let start = at;
      if (code[start - 1] === 0xf2) start--;
      if (start >= 4 && code.readUInt32LE(start - 4) === 0xfa1e0ff3) start -= 4;
      names.set(section.address + start, name);
    }
  }
  return names;
}
