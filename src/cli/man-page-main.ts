// Prints fentry(1), or fentry-VERB(1) for the verb that is its argument; scripts/build.mjs puts them into man/.

import { VERSION } from '../base/version.js';
import { manPage, manPageOfVerb } from './man-page.js';
import { MANUALS } from './manuals.js';
import { print } from './output.js';
import { VERBS } from './verbs.js';

const verb = VERBS.find(({ name }) => name === process.argv[2]);
print(verb === undefined ? manPage(VERBS, VERSION) : manPageOfVerb(verb, MANUALS[verb.name]!, VERSION));
