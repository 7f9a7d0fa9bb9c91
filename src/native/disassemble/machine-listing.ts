/** An instruction at an address. */
export interface ShownInstruction {
  readonly address: number;
  readonly bytes: Uint8Array;
  /** `call *0x2dba(%rip) # 0x403fe0`; '' where only its length is known. Addresses are `0x` and hexadecimal digits. */
  readonly text: string;
}

/** Where an armed site goes, and how. */
export interface Branch {
  readonly verb: string;
  readonly to: number;
}

/** What of a machine `fentry disassemble` needs. */
export interface MachineListing {
  /** Programs that take its code apart, with their options: the first that is installed and knows the machine does it. */
  readonly objdumps: readonly (readonly string[])[];
  /** Characters for an instruction's bytes; those of a longer one make its line longer. */
  readonly bytesWidth: number;
  /** Bytes as disassemblers of the machine show them. */
  shownBytes(bytes: Uint8Array): string;
  /** The instructions of code at an address, with mnemonics of what a tracer reads and writes. */
  instructions(code: Buffer, address: number): ShownInstruction[];
  /** The branch of an armed site; undefined: it has none. */
  branch(site: Buffer, address: number): Branch | undefined;
}
