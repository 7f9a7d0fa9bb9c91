/**
 * All texts of V8 lie in the last 4 GiB of the address space, as the kernel's do on x86-64. So an address is its low 32 bits in
 * this folder: what writes records adds the same high half to each, and 0 is no address. Outside, addresses have 64 bits
 * (base/address.ts).
 */

/** High 32 bits of every address. */
export const TEXT_HIGH = 0xffffffff;
/** Low 32 bits of the first text's address. */
export const TEXT_LOW = 0x81000000;

/** The whole address; 0 for none. */
export const textAddress = (low: number): number => (low === 0 ? 0 : low - 2 ** 32);
