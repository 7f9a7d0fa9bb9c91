import { type ControlBlock, THREAD_WORD, threadWord, WORD } from '../shared/control-block.js';

/**
 * Says to the main thread whether the control thread has an inspector session with it, or several at once: Node tells the user of
 * one at the end.
 */
export interface MainSession {
  /** A session is about to be opened; returns false if it must not be, because the main thread ends. */
  begin(): boolean;
  /** The main thread ends, and waits for the end of the sessions. */
  readonly mustEnd: boolean;
  end(): void;
}

export function createMainSession(block: ControlBlock): MainSession {
  const ending = threadWord(0, THREAD_WORD.ENDING);
  let open = 0;
  const add = (sessions: number): void => {
    open += sessions;
    Atomics.store(block, WORD.IN_SESSION, open > 0 ? 1 : 0);
    Atomics.notify(block, WORD.IN_SESSION);
  };
  return {
    begin() {
      // Set before the check, because the main thread checks after its announcement: one of the two sees the other.
      add(1);
      if (!this.mustEnd) return true;
      add(-1);
      return false;
    },
    get mustEnd() {
      return Atomics.load(block, ending) !== 0;
    },
    end: () => add(-1),
  };
}
