import { assertionAmender } from './assert-message.js';
import { CallSites } from './call-sites.js';
import { installFunctionToString } from './function-to-string.js';
import { hideCells } from './global-keys.js';
import { node20Expression } from './node20-expression.js';
import { installStackTraces, type StackCorrection } from './stack-traces.js';
import { Texts } from './texts.js';
import { ThreadCells } from './thread-cells.js';
import { type Undo, undoAll } from './undo.js';

/** What fentry needs in one thread's global object. */
export interface Realm {
  readonly cells: ThreadCells;
  readonly texts: Texts;
  /** For the stacks of other realms of the thread. */
  readonly stacks: StackCorrection;
  /** How many stacks were made so far: V8 makes the stack of an error when it is first read. */
  readonly stacksMade: () => number;
  /** Undoes everything. Only for a realm without texts with sites, because it also ends the hiding of sites. */
  readonly undo: Undo;
}

/**
 * Prepares a global object for texts with sites: cells can be defined, and what the program could see of sites and cells
 * is hidden (function texts, stack columns, key listings). `fentryFolder` is the URL of the folder of fentry's own code.
 */
export const installRealm = (global: typeof globalThis, fentryFolder: string): Realm => {
  const cells = new ThreadCells(global);
  const texts = new Texts(fentryFolder);
  const readExpression = process.version.startsWith('v20.') ? node20Expression(fentryFolder) : undefined;
  const amendMessage = assertionAmender(texts, readExpression);
  let made = 0;
  const amend = (error: unknown, trace: object[]): void => {
    made++;
    amendMessage(error, trace);
  };
  const sites = new CallSites(texts);
  const stacks: StackCorrection = {
    correct(error, trace) {
      try {
        const mapped = sites.map(trace);
        amend(error, mapped);
        return mapped;
      } catch {
        return trace;
      }
    },
  };
  const undo = undoAll([
    installFunctionToString(global.Function.prototype),
    hideCells(global, cells),
    installStackTraces(global.Error, sites, amend),
  ]);
  return { cells, texts, stacks, stacksMade: () => made, undo };
};
