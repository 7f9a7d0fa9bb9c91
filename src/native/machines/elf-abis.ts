import type { ElfAbi } from '../elf/elf-abi.js';
import { elfAbi as arm64 } from './arm64/elf-abi.js';
import { elfAbi as x86 } from './x86-64/elf-abi.js';

/** What ELF is on each machine whose text fentry knows. */
export const ELF_ABIS = {
  'x86-64': x86,
  arm64,
} as const satisfies Record<string, ElfAbi>;

/** A machine whose text fentry knows. */
export type NativeMachine = keyof typeof ELF_ABIS;

/** The machine of an object, by the number in its header; undefined: fentry does not know it. */
export const machineOfNumber = (number: number): NativeMachine | undefined =>
  (Object.keys(ELF_ABIS) as NativeMachine[]).find((name) => ELF_ABIS[name].number === number);
