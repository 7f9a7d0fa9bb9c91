// Prints fentry(1); scripts/build.mjs puts it into man/.
import { manPage } from './man-page.js';
import { print } from './output.js';
import { VERBS } from './verbs.js';
import { VERSION } from './version.js';

print(manPage(VERBS, VERSION));
