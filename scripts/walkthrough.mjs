// Types the commands of the kernel's tracing documentation against the shop under load, through a mount, and writes the output to
// the pages of docs/ that walkthrough/pages.mjs lists: `node scripts/walkthrough.mjs [--check] [PAGE...]`. Exits with 1 if a
// command does not print what the section promises. --check writes nothing. Needs root and FUSE.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runLoad } from '../examples/shop/load.mjs';
import { PAGES } from './walkthrough/pages.mjs';
import { ROOT, reportTyped, stepsOf, typeIntoServer } from './walkthrough/type-into-server.mjs';

const words = process.argv.slice(2);
const wanted = words.filter((word) => word !== '--check');
const pages = PAGES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

const failures = [];
const writePages = async (type) => {
  for (const { name, head, sections, end = [] } of pages) {
    const walked = await type(sections);
    failures.push(...walked.failures);
    const page = [...head, ...walked.parts, ...end];
    if (!words.includes('--check')) writeFileSync(join(ROOT, 'docs', `${name}.md`), `${page.join('\n')}\n`);
  }
};
await typeIntoServer(
  { server: 'examples/shop/server.mjs', load: (url) => runLoad({ url, connections: 4, seconds: 1 }) },
  writePages,
);
reportTyped(stepsOf(pages.flatMap(({ sections }) => sections)), failures, 'section');
