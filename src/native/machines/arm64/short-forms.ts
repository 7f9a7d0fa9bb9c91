import * as i from './instructions.js';

/** Instructions on 64 bits in few words, for code that is written one by one. */

/** movz or movn, then movk: a number of 64 bits in as few instructions as it takes. */
export function loadNumber(register: number, value: number | bigint): number[] {
  const bits = BigInt(value);
  const parts = [0, 1, 2, 3].map((half) => Number(BigInt.asUintN(16, bits >> BigInt(16 * half))));
  const isInverted = parts.filter((part) => part === 0xffff).length > parts.filter((part) => part === 0).length;
  const filler = isInverted ? 0xffff : 0;
  const others = parts.flatMap((part, half) => (part === filler ? [] : [[half, part] as const]));
  const [[half, part], ...rest] =
    others.length === 0 ? [[0, filler] as const] : (others as [[number, number], ...[number, number][]]);
  return [
    isInverted ? i.movePart('movn', 64, register, half, part ^ 0xffff) : i.movePart('movz', 64, register, half, part),
    ...rest.map(([at, more]) => i.movePart('movk', 64, register, at, more)),
  ];
}

/** add or sub of a constant. */
export const addConstant = (to: number, from: number, value: number): number =>
  i.addImmediate(value < 0 ? 'sub' : 'add', 64, to, from, Math.abs(value));

/** mov between registers, none of them the stack pointer. */
export const moveRegister = (to: number, from: number): number => i.registers('orr', 64, to, i.ZERO, from);

/** str and ldr at a multiple of 8 from a base. */
export const store = (register: number, base: number, offset = 0): number => i.accessAt('str', 64, register, base, offset);
export const load = (register: number, base: number, offset = 0): number => i.accessAt('ldr', 64, register, base, offset);

/** ret */
export const RETURN = i.branchTo('ret', 30);
