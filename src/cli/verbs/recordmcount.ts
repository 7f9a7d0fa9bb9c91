import { parseOptions } from '../arguments.js';
import { print } from '../output.js';
import { UsageError, type Verb } from '../verb.js';

export const recordmcount: Verb = {
  name: 'recordmcount',
  synopsis: 'FILE...',
  summary: 'list the sites that a compiler left in an executable or shared object',
  options: {},
  help: `As the kernel's recordmcount does: calls of mcount and __fentry__ (-pg, -mfentry), NOPs
(-mnop-mcount, -fpatchable-function-entry) and entries of XRay. A line has the site's address in the file, its place in its
function, its bytes, what it is, and the section that lists it, if any does.

Example: fentry recordmcount ./server
`,
  async run(args) {
    const { words } = parseOptions(args, {});
    if (words.length === 0) throw new UsageError('name an executable or a shared object');
    const { listedFile } = await import('../../arch/native/disassemble/listed-objects.js');
    const { siteLines } = await import('../../arch/native/disassemble/site-list.js');
    for (const file of words) {
      const lines = [...siteLines(listedFile(file))];
      print(words.length > 1 ? `${file}:\n` : '');
      print(lines.map((line) => `${line}\n`).join(''));
    }
    return 0;
  },
};
