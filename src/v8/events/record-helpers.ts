import { highWord, lowWord } from '../../base/words.js';
import * as slotValues from './slot-values.js';
import { cutText, putAscii, putText, shortText, textBytes } from './text-bytes.js';

/** The functions that code which makes records calls, by their names in it. */
export const RECORD_HELPERS = {
  ...slotValues,
  cutText,
  putAscii,
  putText,
  shortText,
  textBytes,
  highWord,
  lowWord,
  floor: Math.floor,
} as const;
