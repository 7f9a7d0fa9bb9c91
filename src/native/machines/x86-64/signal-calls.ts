/** System calls by which a thread says which signals it takes, by their numbers. */
export const SIGNAL_CALL = { rt_sigaction: 13, rt_sigprocmask: 14 } as const;

/** A place that makes such a call: `mov $NR, %eax`, which a jump fits over, and `syscall` behind it. */
export interface SignalCall {
  readonly name: keyof typeof SIGNAL_CALL;
  /** The offset of the first instruction, from the code's start. */
  readonly offset: number;
}

/** Bytes of the `mov`, and of the `syscall`. */
export const LOAD_BYTES = 5;
export const SYSCALL_BYTES = 2;

/** The places in some code, as the C library is compiled. Bytes in the midst of other instructions may look like one. */
export function signalCalls(code: Buffer): readonly SignalCall[] {
  return (Object.keys(SIGNAL_CALL) as (keyof typeof SIGNAL_CALL)[]).flatMap((name) => {
    const pattern = Buffer.of(0xb8, SIGNAL_CALL[name], 0, 0, 0, 0x0f, 0x05);
    const found: SignalCall[] = [];
    for (let offset = code.indexOf(pattern); offset >= 0; offset = code.indexOf(pattern, offset + 1))
      found.push({ name, offset });
    return found;
  });
}
