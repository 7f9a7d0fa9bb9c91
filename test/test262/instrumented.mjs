// Shared by the two forms: instruments a test's source, and gives a realm its cells.
import { createRequire } from 'node:module';
import { assemble, choosePrefix, restore } from '../../build/src/arch/v8/text/index.js';

const { instrument } = createRequire(import.meta.url)('../../dist/instrument.cjs');
const SERVICES = ['x', 'y', 'z', 'w', 'v', 'k', 'd', 'u'];

/** The cells of one form: what a function's cell and each service cell hold, written inside the realm. */
export const createTransform = (cells) => {
  let nextNumber = 1;
  return {
    /** Instruments `source`; throws what could not be parsed, so that the runner runs the original and counts it. */
    transform(source, { type }) {
      const made = instrument(source, type);
      if ('unparsed' in made) throw new SyntaxError(made.unparsed);
      const prefix = choosePrefix(source);
      const first = nextNumber;
      nextNumber += made.functions.length;
      return {
        code: assemble(source, made.edits, prefix, first),
        prelude: `fentryCells(${JSON.stringify(prefix)}, ${first}, ${JSON.stringify(made.functions.map((f) => f.kind))})`,
      };
    },
    /** Gives a realm the function that defines cells, and the original texts back. */
    realm(run, global) {
      const define = run(`(function (cells, restore) {
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
        return (prefix, first, kinds) => cells(define, prefix, first, kinds);
      })`)(run(`(${cells})`)(SERVICES), restore);
      Object.defineProperty(global, 'fentryCells', { value: define, configurable: true, writable: true, enumerable: false });
    },
  };
};
