/** A parameter of a function of machine code, as debug information has it. */
export interface RegisterParameter {
  readonly name: string;
  /** The number of its register; undefined: it is in none of them. */
  readonly register: number | undefined;
  /** Bits of the register. */
  readonly bits: 8 | 16 | 32 | 64;
  /** How it is shown: an integer in decimal, anything else in hexadecimal. */
  readonly shown: 'signed' | 'unsigned' | 'hex';
}
