import type { PieceName } from '../text/pieces.js';
import type { Flow } from './context.js';

/** Which piece does what in which flow of control. */
type Pieces = Readonly<Record<Flow, PieceName>>;

export const EXIT: Pieces = {
  sync: 'exit', async: 'exitCoroutine', generator: 'exitCoroutine', 'async-generator': 'exitCoroutine',
};
export const EXIT_VALUE: Pieces = {
  sync: 'exitValue', async: 'exitCoroutineValue', generator: 'exitCoroutineValue', 'async-generator': 'exitCoroutineValue',
};
export const EXIT_VOID: Pieces = {
  sync: 'exitVoid', async: 'exitCoroutineVoid', generator: 'exitCoroutineVoid', 'async-generator': 'exitCoroutineVoid',
};
export const FINALLY_EXIT: Pieces = {
  sync: 'finallyExit', async: 'finallyExitCoroutine', generator: 'finallyExitCoroutine', 'async-generator': 'finallyExitCoroutine',
};
/** In a generator of either sort a catch can run because of `throw()` and `return()`: nested in their caller. */
export const UNWIND: Pieces = {
  sync: 'unwind', async: 'unwindAsync', generator: 'unwindGenerator', 'async-generator': 'unwindGenerator',
};
