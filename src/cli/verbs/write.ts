import { writeVerb } from '../write-verb.js';

export const write = writeVerb('write', 'write words to a control file, like echo WORDS > FILE');
