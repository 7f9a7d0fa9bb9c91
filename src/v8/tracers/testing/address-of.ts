/** Low 32 bits of the address that tests give function `n`. */
export const addressOf = (n: number): number => 0x81000000 + n * 0x40;
