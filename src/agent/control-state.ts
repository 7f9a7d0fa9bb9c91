/** Whom the control side tells how far it is. */
export interface ControlState {
  /** Whether it may listen on its socket: not when the program has ended meanwhile. */
  mayListen(): boolean;
  /** The socket exists, if its folder is safe. */
  listens(): void;
  /** Everything is written that the process recorded. */
  ends(): void;
}
