import { INSTRUCTION_LENGTH } from './encode.js';

/** msr tpidr_el0, without the register. */
const isSet = (word: number): boolean => (word & ~31) >>> 0 === 0xd51bd040;

/** The offsets in text at which a thread has set its thread pointer. */
export function threadPointerSet(text: Buffer): number[] {
  const found: number[] = [];
  for (let at = 0; at + INSTRUCTION_LENGTH <= text.length; at += INSTRUCTION_LENGTH) {
    if (isSet(text.readUInt32LE(at))) found.push(at + INSTRUCTION_LENGTH);
  }
  return found;
}
