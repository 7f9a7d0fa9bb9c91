// Shared by the forms: instruments a test's source, and gives a realm its cells.
import { createRequire } from 'node:module';
import { isCoroutine } from '../../build/src/v8/js-text.js';
import { assemble, choosePrefix, restore } from '../../build/src/v8/text/index.js';

const { instrument } = createRequire(import.meta.url)('../../dist/instrument.cjs');
const SERVICES = ['x', 'y', 'z', 'w', 'v', 'k', 'd', 'u'];

/**
 * The cells of one form: what a function's cell and each service cell hold, written inside the realm.
 * @param statement what the cells of statements hold there, a function or 0; undefined: statements have no sites
 */
export const createTransform = (cells, statement) => {
  let nextNumber = 1;
  return {
    /** Instruments `source`; throws what could not be parsed, so that the runner runs the original and counts it. */
    transform(source, { type }) {
      const made = instrument(source, type, { statements: statement !== undefined });
      if ('unparsed' in made) throw new SyntaxError(made.unparsed);
      const prefix = choosePrefix(source);
      const first = nextNumber;
      nextNumber += made.functions.length;
      return {
        code: assemble(source, made.edits, prefix, first),
        prelude: `fentryCells(${JSON.stringify(prefix)}, ${first}, ${JSON.stringify(made.functions.map((f) => isCoroutine(f.kind)))})`,
      };
    },
    /** Gives a realm the function that defines cells, and the original texts back. */
    realm(run, global) {
      const define = run(`(function (cells, restore, statement) {
        'use strict';
        const define = (name, value) =>
          Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
        const { apply } = Reflect;
        const toString = Function.prototype.toString;
        const wrapped = { toString() { return restore(apply(toString, this, [])); } }.toString;
        const shown = apply(toString, toString, []);
        Object.defineProperty(Function.prototype, 'toString', {
          value: new Proxy(toString, { apply: (target, self) => self === Function.prototype.toString ? shown : apply(wrapped, self, []) }),
          writable: true, configurable: true, enumerable: false });
        return (prefix, first, coroutines) => {
          cells(define, prefix, first, coroutines);
          for (let i = 0; i < coroutines.length && statement !== undefined; i++) define(prefix + 'l' + (first + i), statement);
        };
      })`)(run(`(${cells})`)(SERVICES), restore, run(`(${statement})`));
      Object.defineProperty(global, 'fentryCells', { value: define, configurable: true, writable: true, enumerable: false });
    },
  };
};
