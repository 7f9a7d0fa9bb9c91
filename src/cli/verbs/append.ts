import { writeVerb } from '../write-verb.js';

export const append = writeVerb('append', 'append words to a control file, like echo WORDS >> FILE');
