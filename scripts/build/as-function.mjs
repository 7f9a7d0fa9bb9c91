/**
 * The beginning and end of a bundle that is one expression, a function with the parameters that Node gives to a CommonJS module
 * (bundle-code.ts): V8's code of a whole script can be kept. Put around it when it is loaded, they would have V8 copy the text.
 */
const HEAD = '(function (exports, require, module, __filename, __dirname) { ';
const TAIL = '\n})';

/** A bundle's banner and footer with it. */
export const asFunction = (banner, footer = '') => ({ banner: HEAD + banner, footer: footer + TAIL });
