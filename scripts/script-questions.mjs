// Asks the questions of docs/script-questions.md of a service under load, in both languages, and writes the page:
// `npm run build && node scripts/script-questions.mjs [--check]`. Exits with 1 if a script does not answer what its question
// promises. --check writes nothing, and asks several at a time. Takes a minute and a half.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { QUESTIONS } from './script-questions/questions.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = join(ROOT, 'docs/script-questions.md');
const CLI = join(ROOT, 'dist/cli.js');
const SERVICE = join(ROOT, 'scripts/script-questions/service.mjs');
const PATHS = ['/items', '/orders', '/parse'];
const LANGUAGES = ['bpftrace', 'stap'];

const isCheck = process.argv.includes('--check');
const LANES = isCheck ? 3 : 1;
/** A machine that is busy may give the service no time while a script runs. */
const TRIES = 3;
/** Milliseconds after which a script is given up that does not end. */
const PATIENCE = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'fentry-questions-'));
const env = { ...process.env, FENTRY_DIR: folder, FENTRY_CACHE: join(folder, 'cache'), FENTRY: '' };

async function answerOf(language, script) {
  const client = spawn(process.execPath, [CLI, language, '-e', script], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE,
  });
  let text = '';
  for (const stream of [client.stdout, client.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
  }
  await once(client, 'close');
  // No answer is what bpftrace says before it begins.
  return text
    .replace(/^Attaching .*\n+/, '')
    .replaceAll(ROOT, '/srv/')
    .replace(/[ \t]+$/gm, '')
    .trimEnd();
}

/** Asks until the answer is as promised. */
async function ask({ title, shows, ...scripts }, language) {
  const promised = Array.isArray(shows) ? shows[LANGUAGES.indexOf(language)] : shows;
  let answer = '';
  for (let i = 0; i < TRIES; i++) {
    answer = await answerOf(language, scripts[language]);
    if (promised.test(answer)) return { answer, failure: undefined };
  }
  return { answer, failure: `${title} ${language} answers:\n${answer}\n${promised} is not in it` };
}

function shown(answer, most = 20) {
  const lines = answer.split('\n');
  const rest = lines.length - most;
  return rest <= 1 ? lines : [...lines.slice(0, most), `[... ${rest} more lines]`];
}

const service = spawn(process.execPath, ['--import', pathToFileURL(join(ROOT, 'dist/index.js')).href, SERVICE], {
  env,
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
const answers = new Map();
const failures = [];
let isOver = false;
try {
  const [line] = await once(service.stdout, 'data');
  const url = /http:\S+/.exec(String(line))[0];
  const load = (async () => {
    while (!isOver) await Promise.all(PATHS.map((path) => fetch(url + path).then((response) => response.text())));
  })();
  load.catch(() => {});
  const queue = QUESTIONS.flatMap((question) => LANGUAGES.map((language) => ({ question, language })));
  const lane = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const { answer, failure } = await ask(one.question, one.language);
      answers.set(`${one.language} ${one.question.title}`, answer);
      if (failure !== undefined) failures.push(failure);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  isOver = true;
  await load;
} finally {
  isOver = true;
  service.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

const block = (question, language) => [
  '```console',
  `$ fentry ${language} -e '${question[language]}'`,
  ...shown(answers.get(`${language} ${question.title}`), question.lines),
  '```',
  '',
];
const page = [
  '# Questions, answered by scripts\n',
  'Each question is asked of a live service in both languages, bpftrace’s first. The commands are typed as they stand: fentry finds the process if',
  'only one is traced; else `-p PID` of `fentry bpftrace` and `-x PID` of `fentry stap` name it. [Scripts](scripts.md) describes the languages,',
  '[Recipes](recipes.md) answers such questions by files.',
  'The service is `scripts/script-questions/service.mjs`, under load. `node scripts/script-questions.mjs` asks again, checks each answer, and writes',
  'this page.\n',
  ...QUESTIONS.flatMap((question) => [
    `## ${question.title}\n`,
    `${question.says}\n`,
    ...LANGUAGES.flatMap((language) => block(question, language)),
  ]),
];
if (!isCheck) writeFileSync(PAGE, `${page.join('\n').trimEnd()}\n`);
for (const failure of failures) console.log(failure);
const asked = QUESTIONS.length * LANGUAGES.length;
console.log(`${asked - failures.length} of ${asked} scripts answer what their question promises`);
process.exitCode = failures.length === 0 ? 0 : 1;
