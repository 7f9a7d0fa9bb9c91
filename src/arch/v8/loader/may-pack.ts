/** What looks into the code that V8 has of a text: it must find what it would without a code cache. */
const LOOKS_INTO_CODE = /^--(inspect|enable-source-maps|(experimental-)?policy|experimental-test-coverage)/;

/** Whether this process may run V8's code caches of its texts. */
export const mayPack = ({ execArgv, env } = process): boolean =>
  !env['NODE_V8_COVERAGE'] &&
  !env['NODE_COMPILE_CACHE'] &&
  ![...execArgv, ...(env['NODE_OPTIONS'] ?? '').split(/\s+/)].some((word) => LOOKS_INTO_CODE.test(word));
