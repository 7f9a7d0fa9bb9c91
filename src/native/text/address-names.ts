import { lastAtOrBefore } from '../../base/last-at-or-before.js';
import type { ElfFile } from '../elf/elf-file.js';
import { slotNames } from '../elf/relocations.js';
import { MACHINES } from '../machines/machines.js';
import type { NativeText } from './native-text.js';
import { symbolName } from './symbol-name.js';

/** Names of addresses in an object, as the kernel prints them: `sum`, `sum+0x4`; `free@plt` for a stub, `free` for its word. */
export class AddressNames {
  readonly #text: NativeText;
  readonly #starts: Float64Array;
  readonly #others = new Map<number, string>();

  constructor(elf: ElfFile, text: NativeText) {
    this.#text = text;
    this.#starts = Float64Array.from(text.functions, ({ start }) => text.base + start);
    const slots = slotNames(elf);
    for (const [slot, name] of slots) this.#others.set(slot + text.bias, symbolName(name));
    const { stubNames } = MACHINES[elf.machine].sites;
    for (const [stub, name] of stubNames(elf, slots)) this.#others.set(stub + text.bias, `${symbolName(name)}@plt`);
  }

  nameOf(address: number): string | undefined {
    const one = this.#text.functions[lastAtOrBefore(this.#starts, address)];
    const offset = one === undefined ? 0 : address - this.#text.base - one.start;
    if (one === undefined || address >= this.#text.base + one.end) return this.#others.get(address);
    return offset === 0 ? one.name : `${one.name}+0x${offset.toString(16)}`;
  }
}
