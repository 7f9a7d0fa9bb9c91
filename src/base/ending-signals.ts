/** Signals as Linux numbers them; `node:os` would be loaded into every program for it. */
const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGTERM: 15 } as const;

/** The numbers of the signals that end a program which does not listen to them, and that a process can see coming. */
export const ENDING_SIGNALS: readonly number[] = Object.values(NUMBERS);

/** The name of such a signal, which process.kill takes as a name or a number; undefined: it is none of them. */
export const endingSignalName = (signal: unknown): string | undefined =>
  Object.entries(NUMBERS).find(([name, number]) => signal === name || signal === number)?.[0];
