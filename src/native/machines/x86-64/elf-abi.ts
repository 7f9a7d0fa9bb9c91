import { distance32, distance64, type ElfAbi, SLOT_AT, slot, symbol, word32, word64 } from '../../elf/elf-abi.js';

/** ELF for x86-64. */
export const elfAbi: ElfAbi = {
  number: 62,
  // R_X86_64_RELATIVE; 64, GLOB_DAT, JUMP_SLOT
  relative: 8,
  symbol: [1, 6, 7],
  globalData: 6,
  jumpSlot: 7,
  relocations: {
    1: symbol(word64),
    2: symbol(distance32),
    4: symbol(distance32),
    9: slot(distance32),
    10: symbol(word32),
    11: symbol(word32),
    24: symbol(distance64),
    41: slot(distance32),
    42: slot(distance32),
  },
  // jmp *10(%rip)
  stub: () => Buffer.from([0xff, 0x25, SLOT_AT - 6, 0, 0, 0]),
};
