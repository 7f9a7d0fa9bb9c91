import { shortHash } from '../../base/short-hash.js';
import { nodeWords } from './node-words.js';

/**
 * Words of the command line that may change what V8 makes of a text, besides those that load fentry; paths are other options'
 * values.
 */
const MAY_BE_V8 = /^--[\w-]+(=[\w.-]+)?$/;

/** In the name of V8's code: which V8 it is for. V8 itself refuses what is of another one. */
export const v8Name = ({ version, arch, execArgv, env } = process): string => {
  const words = env['NODE_OPTIONS'] ? nodeWords() : execArgv;
  let named = '';
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    // V8 would compile the regular expression at each start.
    if (word.startsWith('--') && !word.startsWith('--require') && !word.startsWith('--import') && MAY_BE_V8.test(word))
      named += `${word} `;
  }
  return `${version}-${arch}-${named && shortHash(named)}`;
};
