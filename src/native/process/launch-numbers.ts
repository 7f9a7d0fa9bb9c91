/** What the launcher of each machine does its work with: numbers that are the same on all of them. */
export const LAUNCH = {
  CLOSE_ON_EXEC: 0o2000000,
  SIGNALS: 0o20000,
  DESCRIPTOR_CLOSES_ON_EXEC: 1,
  SIGSTOP: 19,
  SET_PTRACER: 0x59616d61,
  /** Descriptors from here on are above those of the pipes. */
  HIGH: 64,
  /** The descriptor by which the launcher tells why it could not run the program. */
  ERROR_FD: 3,
  /** The launcher's exit code when it could not run the program. */
  FAILED: 127,
} as const;
/** Commands of fcntl(2). */
export const FCNTL = { setDescriptorFlags: 2, setFlags: 4, setOwner: 8, setSignal: 10, duplicate: 1030 } as const;
