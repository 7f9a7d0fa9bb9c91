import { restore } from '../text/restore.js';
import { defineProperty, getOwnPropertyDescriptor, startsWith } from './primordials.js';

const GENERATED = 'The expression evaluated to a falsy value:\n\n  ';

/**
 * Takes the sites out of the message that `assert(expression)` made from the source line. Node makes the message from the
 * text that V8 runs, and then the stack, which is where this is called.
 */
export const amendAssertion = (error: unknown): void => {
  if (typeof error !== 'object' || error === null) return;
  const message = getOwnPropertyDescriptor(error, 'message');
  if (typeof message?.value !== 'string' || !message.writable || !startsWith(message.value, GENERATED)) return;
  const restored = restore(message.value);
  if (restored !== message.value) defineProperty(error, 'message', { ...message, value: restored });
};
