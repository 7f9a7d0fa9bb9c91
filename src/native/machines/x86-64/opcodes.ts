/** What follows the opcodes of x86-64 in 64-bit mode, as bits; 0: the opcode is none. */
export const FOLLOWS = {
  /** Nothing: the bit of every opcode. */
  nothing: 1,
  /** A ModRM byte, with what it asks for. */
  modrm: 2,
  /** Constants of 8 and 16 bits; of 16 or 32, as the operands' size is; of 16, 32 or 64. */
  byte: 4,
  word: 8,
  constant: 16,
  full: 32,
  /** An address of 64 bits, or 32. */
  address: 64,
  /** The distance to where it branches, of 8 and of 32 bits. */
  near: 128,
  far: 256,
} as const;

/** Rows of opcodes in hexadecimal digits, and what follows them. */
type Rows = readonly (readonly [follows: readonly (keyof typeof FOLLOWS)[], opcodes: string])[];

function table(rows: Rows): Uint16Array {
  const follows = new Uint16Array(256);
  for (const [names, opcodes] of rows) {
    const bits = names.reduce((sum, name) => sum | FOLLOWS[name], FOLLOWS.nothing as number);
    for (const range of opcodes.split(' ')) {
      const [from, to = from] = range.split('-').map((digits) => Number.parseInt(digits, 16)) as [number, number?];
      follows.fill(bits, from, to + 1);
    }
  }
  return follows;
}

/** Opcodes of one byte; prefixes and escapes are none here. */
export const ONE_BYTE = table([
  [['modrm'], '00-03 08-0b 10-13 18-1b 20-23 28-2b 30-33 38-3b 63 84-8f d0-d3 d8-df f6-f7 fe-ff'],
  [['byte'], '04 0c 14 1c 24 2c 34 3c 6a a8 b0-b7 cd e4-e7'],
  [['constant'], '05 0d 15 1d 25 2d 35 3d 68 a9'],
  [['modrm', 'constant'], '69 81 c7'],
  [['modrm', 'byte'], '6b 80 83 c0-c1 c6'],
  [['full'], 'b8-bf'],
  [['word'], 'c2 ca'],
  [['word', 'byte'], 'c8'],
  [['address'], 'a0-a3'],
  [['near'], '70-7f e0-e3 eb'],
  [['far'], 'e8-e9'],
  [[], '50-5f 6c-6f 90-99 9b-9f a4-a7 aa-af c3 c9 cb-cc cf d7 ec-ef f1 f4-f5 f8-fd'],
]);

/** Opcodes after 0f. VEX and EVEX have the same. */
export const AFTER_0F = table([
  [['modrm'], '00-03 0d 10-23 28-2f 40-6f 74-76 78-7f 90-9f a3 a5 ab ad-b9 bb-c1 c3 c7 d0-ff'],
  [['modrm', 'byte'], '0f 70-73 a4 ac ba c2 c4-c6'],
  [['far'], '80-8f'],
  [[], '05-09 0b 0e 30-35 37 77 a0-a2 a8-aa c8-cf'],
]);

/** Opcodes after 0f 38, and after 0f 3a. */
export const AFTER_0F38 = table([[['modrm'], '00-ff']]);
export const AFTER_0F3A = table([[['modrm', 'byte'], '00-ff']]);
/** AMD's XOP has one more map: with a constant of 32 bits. */
export const XOP_A = table([[['modrm', 'constant'], '00-ff']]);
