import { shortHash } from '../../../base/short-hash.js';
import { nodeWords } from './node-words.js';

/** Words of the command line that may change what V8 makes of a text; paths are other options' values. */
const MAY_BE_V8 = /^--[\w-]+(=[\w.-]+)?$/;

/** In the name of V8's code: which V8 it is for. V8 itself refuses what is of another one. */
export const v8Name = ({ version, arch } = process): string => {
  const words = nodeWords()
    .filter((word) => word.length > 2 && word[0] === '-' && word[1] === '-' && word !== '--require' && MAY_BE_V8.test(word))
    .join(' ');
  return `${version}-${arch}-${shortHash(words)}`;
};
