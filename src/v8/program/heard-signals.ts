import { watchProcess } from '../realm/process-events.js';
import type { Undo } from '../realm/undo.js';
import { type ControlBlock, heardSignalWord, WORD } from '../shared/control-block.js';

const { add } = Atomics;

/**
 * Counts the signals that the program's listeners hear, before the first of them runs: the control thread cannot see that a
 * listener of `process.once` was there. Node emits the event with the name of the signal and its number, which a program that
 * emits it leaves out.
 */
export const countHeardSignals = (block: ControlBlock): Undo =>
  watchProcess({
    before(name, [, signal]) {
      if (typeof name !== 'string' || typeof signal !== 'number') return;
      const word = heardSignalWord(signal);
      if (word >= WORD.HEARD_SIGNALS) add(block, word, 1);
    },
  });
