import { assertionAmender } from './assert-message.js';
import { CallSites } from './call-sites.js';
import { Cells } from './cells.js';
import { installFunctionToString } from './function-to-string.js';
import { hideCells } from './global-keys.js';
import { node20Expression } from './node20-expression.js';
import { installStackTraces } from './stack-traces.js';
import { Texts } from './texts.js';
import { type Undo, undoAll } from './undo.js';

/** What one thread's global object holds for fentry. */
export interface Realm {
  readonly cells: Cells;
  readonly texts: Texts;
  /** How many stacks were made so far: V8 makes an error's when it is first read. */
  readonly stacksMade: () => number;
  /** Takes everything back. For a realm without texts with sites: what they look like to the program is part of it. */
  readonly undo: Undo;
}

/**
 * Prepares a global object for texts with sites: cells can be defined, and what the program could see of sites and cells
 * is hidden (function texts, stack columns, key listings). `ownFolder` is the URL of the folder of fentry's own code.
 */
export const installRealm = (global: typeof globalThis, ownFolder: string): Realm => {
  const cells = new Cells(global);
  const texts = new Texts(ownFolder);
  const readExpression = process.version.startsWith('v20.') ? node20Expression(ownFolder) : undefined;
  const amendMessage = assertionAmender(texts, readExpression);
  let made = 0;
  const amend = (error: unknown, trace: object[]): void => {
    made++;
    amendMessage(error, trace);
  };
  const undo = undoAll([
    installFunctionToString(global),
    hideCells(global, cells),
    installStackTraces(global.Error, new CallSites(texts), amend),
  ]);
  return { cells, texts, stacksMade: () => made, undo };
};
