import { SCRIPT_HEAD } from '../text/module-head.js';
import type { PackedText } from './start-pack.js';

/**
 * Around a CommonJS text that is compiled as a script. The comment tells the function from one that the program has written so.
 */
const HEAD = `(${SCRIPT_HEAD}`;
const TAIL = '\n})';

/** Units before the text. */
export const HEAD_LENGTH = HEAD.length;

/** A CommonJS text as a script, whose value is the module's function. */
export const scriptForm = (text: string): string => HEAD + text + TAIL;

/** The text with sites that was packed. */
export const originalForm = ({ text, isCompiled }: PackedText): string =>
  isCompiled ? text.slice(HEAD.length, text.length - TAIL.length) : text;

/**
 * Units of the shortest text that is worth it: Node compiles a stub for each, but neither V8's first pass over the text nor that
 * over each function that is called. A program that loads Express takes 475 million instructions with 16,384 here, 455 with
 * 4,096, 448 with 2,048, and no fewer with 512.
 */
const WORTH_IT = 2048;
/** What means something else behind other text. */
const ODD_BEGINNING = /^#!|^.*-->/;

/** Whether a CommonJS text is to be compiled as a script, inside which it must be the same program. */
export const isScript = (text: string): boolean => text.length >= WORTH_IT && !ODD_BEGINNING.test(text);
