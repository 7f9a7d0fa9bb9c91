import { restore } from '../text/restore.js';
import { defineProperty, getOwnPropertyDescriptor, startsWith } from './primordials.js';
import type { Texts } from './texts.js';

const GENERATED = 'The expression evaluated to a falsy value:\n\n  ';

/**
 * The expression at a place of the original text, in Node's form; undefined if it is not an `assert` call. Columns are 1-based.
 */
export type ReadExpression = (file: string, line: number, column: number) => string | undefined;

interface Site {
  getFileName(): unknown;
  getLineNumber(): number;
  getColumnNumber(): number;
}

/**
 * Returns a function that corrects the message that `assert(expression)` made from the source at its call. Node makes the
 * message first and then the stack, when this is called: the stack will begin with the error's message.
 *
 * From Node 22 on the message holds the text that V8 runs, so the sites are taken out of it. Node 20 looks in the file for
 * V8's position, and finds the wrong place: `readExpression` (needed there only) looks in the right one.
 */
export const assertionAmender = (texts: Texts, readExpression: ReadExpression | undefined) => {
  const property = (error: object, key: string): unknown => getOwnPropertyDescriptor(error, key)?.value;

  return (error: unknown, trace: object[]): void => {
    if (typeof error !== 'object' || error === null) return;
    const message = getOwnPropertyDescriptor(error, 'message');
    if (typeof message?.value !== 'string' || !message.writable || property(error, 'code') !== 'ERR_ASSERTION') return;
    const generated = startsWith(message.value, GENERATED);
    let corrected = generated ? restore(message.value) : message.value;
    if (readExpression !== undefined && property(error, 'operator') === '==' && property(error, 'expected') === true) {
      const site = trace[0] as Site | undefined;
      const file = site?.getFileName();
      const inText = typeof file === 'string' && texts.get(file) !== undefined;
      if (inText && site && (generated || property(error, 'generatedMessage') === true)) {
        const expression = readExpression(file, site.getLineNumber(), site.getColumnNumber());
        if (expression !== undefined) corrected = `${GENERATED}${expression}\n`;
      }
    }
    if (corrected !== message.value) defineProperty(error, 'message', { ...message, value: corrected });
  };
};
