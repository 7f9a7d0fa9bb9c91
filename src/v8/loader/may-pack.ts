import { nodeWords } from './node-words.js';

/**
 * Beginnings of options by which something looks into the code that V8 has of a text: it must find what it would without a code
 * cache. No regular expression, which V8 would compile at each start.
 */
const LOOK_INTO_CODE = [
  '--inspect',
  '--enable-source-maps',
  '--policy',
  '--experimental-policy',
  '--experimental-test-coverage',
] as const;

/** Whether this process may run V8's code caches of its texts. */
export const mayPack = ({ execArgv, env } = process): boolean =>
  !env['NODE_V8_COVERAGE'] &&
  !env['NODE_COMPILE_CACHE'] &&
  !nodeWords({ execArgv, env }).some((word) => LOOK_INTO_CODE.some((beginning) => word.startsWith(beginning)));
