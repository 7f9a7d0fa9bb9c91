// Asks the questions of docs/questions.md, and writes the page: `npm run build && node scripts/questions.mjs [--check] [WORD]`.
// Exits with 1 if a command does not print what its question promises. --check writes nothing, and asks three at a time. WORD
// asks only questions whose title or program contains it, and prints the answers. Takes a minute.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ask } from './questions/ask.mjs';
import { CHAPTERS, QUESTIONS } from './questions/questions.mjs';

const PAGE = fileURLToPath(new URL('../docs/questions.md', import.meta.url));
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isCheck = process.argv.includes('--check') || words.length > 0;
const LANES = isCheck ? 3 : 2;

const isAsked = ({ title, program }) => words.every((word) => `${title} ${program}`.includes(word));

function shown(output, most = 16) {
  const lines = output.split('\n');
  const rest = lines.length - most;
  return rest <= 1 ? lines : [...lines.slice(0, most), `[... ${rest} more lines]`];
}

const block = ({ command, output }, lines) => [`$ ${command}`, ...(output === '' ? [] : shown(output, lines))];

const section = ({ title, says, next, start, isStopped, lines }, steps) => [
  `### ${title}\n`,
  `${says}\n`,
  '```console',
  ...(isStopped ? [`$ ${start}`, '^C'] : []),
  ...steps.flatMap((step) => block(step, lines)),
  '```\n',
  ...(next === undefined ? [] : [`${next}\n`]),
];

const answers = new Map();
const failures = [];
const queue = QUESTIONS.filter(isAsked);
const count = queue.length;
async function lane() {
  for (let question = queue.shift(); question !== undefined; question = queue.shift()) {
    const { steps, failure } = await ask(question);
    answers.set(question, section(question, steps));
    if (failure !== undefined) failures.push(failure);
    if (words.length > 0) console.log(answers.get(question).join('\n'));
  }
}
await Promise.all(Array.from({ length: LANES }, lane));

const page = [
  '# Questions\n',
  'For those who know Node and not ftrace: each question is one or two commands, what they print, and the next step. PID is the process’s id',
  '(`fentry ps` lists those that were started with fentry). Commands without a PID take the process that runs with fentry, if there is only one.',
  'Start yours with `node --import fentry server.mjs`, or put [`npx fentry env`](launching.md) before any command that starts Node. `bt $PID`, `bt --waiting`',
  'and `handles` need no preparation: here they are asked of processes that run without fentry.\n',
  'The programs are in `test/cases/fixtures`; `node scripts/questions.mjs` asks them again, checks each answer, and writes this page.\n',
  ...CHAPTERS.flatMap(({ title, questions }) => [
    `## ${title}\n`,
    ...questions.flatMap((question) => answers.get(question) ?? []),
  ]),
];
if (!isCheck) writeFileSync(PAGE, `${page.join('\n').trimEnd()}\n`);
for (const failure of failures) console.log(failure);
console.log(`${count - failures.length} of ${count} questions are answered as promised`);
process.exitCode = failures.length === 0 ? 0 : 1;
