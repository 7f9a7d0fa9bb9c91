// Types the commands that answer the questions of docs/recipes.md against the service of examples/trouble under load, through a
// mount, and writes the page: `node scripts/recipes.mjs [--check]`. Exits with 1 if a command does not print what the question
// promises. --check writes nothing. Needs root and FUSE.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runLoad } from '../examples/trouble/load.mjs';
import { QUESTIONS } from './recipes/questions.mjs';
import { ROOT, reportTyped, stepsOf, typeIntoServer } from './walkthrough/type-into-server.mjs';

const PAGE = join(ROOT, 'docs/recipes.md');

/** The page does not depend on where the clone lies: columns stay. */
const inSrv = (text) => {
  const examples = join(ROOT, 'examples');
  const wider = examples.length - '/srv'.length;
  return text.replace(new RegExp(`${examples}(\\S*)( *)`, 'g'), (_whole, rest, blanks) =>
    blanks === '' ? `/srv${rest}` : `/srv${rest}${blanks}${' '.repeat(wider)}`,
  );
};
let failures = [];
const writePage = async (type) => {
  const typed = await type(QUESTIONS);
  failures = typed.failures;
  const page = [
    '# Recipes: questions, answered on a live server\n',
    'Each question is answered by a few lines that are typed while the server runs: events are counted, filtered and matched inside the process.',
    '[Events](events.md) and [Histograms](histograms.md) describe what is typed.',
    'The shell is that of `fentry exec -- bash` in /sys/kernel/tracing; `fentry write FILE TEXT` and `fentry cat FILE` do the same without a mount.',
    'The server is `examples/trouble`, an Express service under load, started by `node --import fentry server.mjs`.',
    '`node scripts/recipes.mjs` types the commands again, checks each answer, and writes this page.\n',
    ...typed.parts.map(inSrv),
  ];
  if (process.argv.includes('--check')) console.log(page.join('\n'));
  else writeFileSync(PAGE, page.join('\n'));
};
await typeIntoServer({ server: 'examples/trouble/server.mjs', load: (url) => runLoad({ url, seconds: 1 }) }, writePage);
reportTyped(stepsOf(QUESTIONS), failures, 'question');
