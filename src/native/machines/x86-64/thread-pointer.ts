/** syscall; arch_prctl, and ARCH_SET_FS, in instructions that load them. */
const SYSCALL = Buffer.of(0x0f, 0x05);
const ARCH_PRCTL = Buffer.of(0x9e, 0, 0, 0);
const SET_FS = Buffer.of(0x02, 0x10, 0, 0);
/** How far before the system call they stand, in bytes. */
const NEAR = 64;

/** The offsets in text at which a thread has set its thread pointer: behind arch_prctl(ARCH_SET_FS). */
export function threadPointerSet(text: Buffer): number[] {
  const found: number[] = [];
  let last = 0;
  for (let at = text.indexOf(SYSCALL); at >= 0; at = text.indexOf(SYSCALL, at + 1)) {
    const before = text.subarray(Math.max(last, at - NEAR), at);
    if (before.includes(ARCH_PRCTL) && before.includes(SET_FS)) found.push(at + SYSCALL.length);
    last = at + SYSCALL.length;
  }
  return found;
}
