/** The NOPs of x86-64: one instruction of each length, as the manuals of the processors recommend them. */

const NOPS: readonly (readonly number[])[] = [
  [],
  [0x90],
  [0x66, 0x90],
  [0x0f, 0x1f, 0x00],
  [0x0f, 0x1f, 0x40, 0x00],
  [0x0f, 0x1f, 0x44, 0x00, 0x00],
  [0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00],
  [0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00],
  [0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
  [0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
];
const LONGEST = NOPS.length - 1;
/** The prefixes of segments and of the operand's size, which change nothing of a NOP. */
const PREFIXES = [0x2e, 0x3e, 0x66];

/** By their length, those that were asked for. */
const made: Uint8Array[] = [];

/** The NOP of a length in bytes; one instruction up to 11 of them. It is everybody's. */
export function nopOf(length: number): Uint8Array {
  const known = made[length];
  if (known !== undefined) return known;
  const nop = makeNop(length);
  made[length] = nop;
  return nop;
}

function makeNop(length: number): Uint8Array {
  if (length <= LONGEST) return Uint8Array.from(NOPS[length]!);
  if (length <= 11) return Uint8Array.from([0x66, 0x2e, ...NOPS[LONGEST]!].slice(-length));
  return Uint8Array.from([...nopOf(LONGEST), ...nopOf(length - LONGEST)]);
}

/** The length of the NOP at an offset; 0: there is none. */
export function nopLength(bytes: Uint8Array, at: number): number {
  let opcode = at;
  while (PREFIXES.includes(bytes[opcode]!)) opcode++;
  if (bytes[opcode] === 0x90) return opcode + 1 - at;
  if (bytes[opcode] !== 0x0f || bytes[opcode + 1] !== 0x1f) return 0;
  const modrm = bytes[opcode + 2]!;
  const [mode, register] = [modrm >> 6, modrm & 7];
  const hasSib = mode !== 3 && register === 4;
  const isWide = mode === 2 || (mode === 0 && (register === 5 || (hasSib && (bytes[opcode + 3]! & 7) === 5)));
  return opcode + 3 + (hasSib ? 1 : 0) + (isWide ? 4 : mode === 1 ? 1 : 0) - at;
}

/**
 * The bytes of the NOPs one after the other from an offset, up to the first that ends at `enough` bytes or after; fewer: there
 * are no more.
 */
export function nopsLength(bytes: Uint8Array, at: number, enough: number): number {
  let end = at;
  for (let length = 1; length > 0 && end - at < enough; end += length) length = nopLength(bytes, end);
  return end - at;
}
