/** The C types that fields of events have: bytes of one, and whether it is signed, as x86-64's compiler has it. */
export const C_TYPES = {
  char: { size: 1, signed: true },
  'unsigned char': { size: 1, signed: false },
  u8: { size: 1, signed: false },
  s8: { size: 1, signed: true },
  short: { size: 2, signed: true },
  'unsigned short': { size: 2, signed: false },
  u16: { size: 2, signed: false },
  s16: { size: 2, signed: true },
  int: { size: 4, signed: true },
  'unsigned int': { size: 4, signed: false },
  u32: { size: 4, signed: false },
  s32: { size: 4, signed: true },
  long: { size: 8, signed: true },
  'unsigned long': { size: 8, signed: false },
  'long long': { size: 8, signed: true },
  'unsigned long long': { size: 8, signed: false },
  u64: { size: 8, signed: false },
  s64: { size: 8, signed: true },
  __u8: { size: 1, signed: false },
  __u16: { size: 2, signed: false },
  bool: { size: 1, signed: false },
  pid_t: { size: 4, signed: true },
  gfp_t: { size: 4, signed: false },
  size_t: { size: 8, signed: false },
  'void *': { size: 8, signed: false },
  'const void *': { size: 8, signed: false },
  'const char *': { size: 8, signed: false },
} as const satisfies Readonly<Record<string, { readonly size: number; readonly signed: boolean }>>;

export type CType = keyof typeof C_TYPES;

/**
 * An integer of 64 bits: a number where that is exact (below 2^53 either side of 0), else a bigint. Writers take both for any
 * value.
 */
export type Long = number | bigint;

/** What a value of a C type is in TypeScript. */
export type CValue<T extends CType> = (typeof C_TYPES)[T]['size'] extends 8 ? Long : number;
