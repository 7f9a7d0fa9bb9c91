import type { PieceName } from '../text/pieces.js';
import type { Flow } from './code-scope.js';

/** The pieces that have a special form for coroutines: a coroutine exits by its activation, not by its depth. */
type ExitPiece = 'exit' | 'exitValue' | 'exitVoid' | 'finallyExit';

/** `piece` in the form for code that runs as `flow`. */
export function inFlow(flow: Flow, piece: ExitPiece): PieceName {
  return flow === 'sync' ? piece : `${piece}Coroutine`;
}

/** In a generator of either sort a catch can run because of `throw()` and `return()`: nested in their caller. */
export const UNWIND: Readonly<Record<Flow, PieceName>> = {
  sync: 'unwind',
  async: 'unwindAsync',
  generator: 'unwindGenerator',
  'async-generator': 'unwindGenerator',
};

/** The form of a catch's beginning (text/caught.ts). */
export const CAUGHT_FORM: Readonly<Record<Flow, number>> = { sync: 0, async: 1, generator: 2, 'async-generator': 2 };

/** Closes the guard around a body; only bodies whose exceptions become rejections have one. */
export const GUARD: Readonly<Partial<Record<Flow, PieceName>>> = {
  async: 'guardAsync',
  'async-generator': 'guardGenerator',
};
