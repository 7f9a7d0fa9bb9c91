// Prints fentry(1); scripts/build.mjs puts it into man/.

import { VERSION } from '../base/version.js';
import { manPage } from './man-page.js';
import { print } from './output.js';
import { VERBS } from './verbs.js';

print(manPage(VERBS, VERSION));
