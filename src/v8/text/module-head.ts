/** How the function of a CommonJS text begins that is compiled as a script, and how Node's begins. */
export const SCRIPT_HEAD = 'function (exports, require, module, __filename, __dirname) {/*$fm*/';
export const MODULE_HEAD = 'function (exports, require, module, __filename, __dirname) {\n';
