import type { ElfFile, NativeMachine } from '../elf/elf-file.js';
import type { ElfSymbol } from '../elf/symbols.js';
import type { CodeRange } from './object-functions.js';
import { wholeName } from './symbol-name.js';

/** Whether a function's last instruction is a call, by the machine: a direct one; on arm64 `blr` too. */
const ENDS_WITH_CALL: Readonly<Record<NativeMachine, (elf: ElfFile, end: number) => boolean>> = {
  'x86-64': (elf, end) => elf.at(end - 5, 1)?.[0] === 0xe8,
  arm64(elf, end) {
    const word = elf.at(end - 4, 4)?.readUInt32LE() ?? 0;
    return (word & 0xfc000000) >>> 0 === 0x94000000 || (word & 0xfffffc1f) >>> 0 === 0xd63f0000;
  },
};

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
  return ENDS_WITH_CALL[elf.machine](elf, end) ? end + 1 : end;
}
