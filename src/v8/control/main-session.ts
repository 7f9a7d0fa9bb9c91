import { type ControlBlock, THREAD_WORD, threadWord, WORD } from '../shared/control-block.js';

/** Says to the main thread whether the control thread has an inspector session with it: Node tells the user of one at the end. */
export interface MainSession {
  /** A session is about to be opened; returns false if it must not be, because the main thread ends. */
  begin(): boolean;
  /** The main thread ends, and waits for the end of the session. */
  readonly mustEnd: boolean;
  end(): void;
}

export function createMainSession(block: ControlBlock): MainSession {
  const ending = threadWord(0, THREAD_WORD.ENDING);
  const set = (value: number): void => {
    Atomics.store(block, WORD.IN_SESSION, value);
    Atomics.notify(block, WORD.IN_SESSION);
  };
  return {
    begin() {
      // Set before the check, because the main thread checks after its announcement: one of the two sees the other.
      set(1);
      if (!this.mustEnd) return true;
      set(0);
      return false;
    },
    get mustEnd() {
      return Atomics.load(block, ending) !== 0;
    },
    end: () => set(0),
  };
}
