import { parseOptions } from '../arguments.js';
import { print } from '../output.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = { without: { type: 'boolean' } } as const;

export const recordmcount: Verb = {
  name: 'recordmcount',
  synopsis: '[--without] FILE...',
  summary: 'list the sites that a compiler left in an executable, a shared object or a relocatable one',
  options: OPTIONS,
  help: `As the kernel's recordmcount does: calls of mcount and __fentry__ (-pg, -mfentry), NOPs
(-mnop-mcount, -fpatchable-function-entry) and entries of XRay. A line has the site's address in the file, its place in its
function, its bytes, what it is, and the section that lists it, if any does.

  --without        list the functions that cannot be traced instead, with the reasons, and count all

Example: fentry recordmcount ./server; fentry recordmcount --without /lib/x86_64-linux-gnu/libc.so.6
`,
  async run(args) {
    const { words, values } = parseOptions(args, OPTIONS);
    if (words.length === 0) throw new UsageError('name an executable, a shared object or a relocatable object');
    const { lackLines, listedFile, siteLines } = await import('../../native/disassemble/listed-objects.js');
    for (const file of words) {
      const lines = [...(values.without ? lackLines : siteLines)(listedFile(file))];
      print(words.length > 1 ? `${file}:\n` : '');
      print(lines.map((line) => `${line}\n`).join(''));
    }
    return 0;
  },
};
