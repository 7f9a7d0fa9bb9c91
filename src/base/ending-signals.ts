/** As Linux numbers them; `node:os` would be loaded into every program for it. */
const SIGHUP = 1;
const SIGINT = 2;
const SIGQUIT = 3;
const SIGTERM = 15;

/** The numbers of the signals that end a program which does not listen to them, and that a process can see coming. */
export const ENDING_SIGNALS: readonly number[] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];
