/** Whom the control side tells how far it is. */
export interface ControlState {
  /** Whether it may listen on its socket: not when the program has ended meanwhile. */
  mayListen(): boolean;
  /** The socket exists, if its folder is safe. */
  listens(): void;
  /** Tells that the control thread has no socket, and that what was attached is detached again. */
  cannotListen?(error: Error): void;
  /** Whether the program's end ends this thread, at whatever it does. */
  readonly endsWithProgram: boolean;
  /**
   * Tells whether the control thread has clients now, or none any more. Returns false if it must not have new ones, because the
   * program ends.
   */
  hasClients(has: boolean): boolean;
  /** Everything is written that the process recorded, and there are no clients. */
  ends(): void;
}
