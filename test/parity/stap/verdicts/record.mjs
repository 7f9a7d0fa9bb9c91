// Asks the real `stap -p1` which texts it takes, and keeps its verdicts:
// `node test/parity/stap/verdicts/record.mjs [texts] [files]`.
// Needs Debian's systemtap and systemtap-doc, and no kernel: the folder of a kernel's build that stap wants has four files.
//
// answers.json has, for each text of texts.json, the exit status and the errors in order: the place (LINE:COLUMN, "end" for the
// end of the text, "file" for the whole of it), the message and the token, which `saw` names where the parser saw it, and `at`
// where the lexer or the preprocessor stood. `suppressed` counts the errors that were not printed, as one like them was.
//
// files.tsv has a line for each example and each tapset file of the packages: its path under the folder of the package's scripts,
// the exit status, and place and message of the first error. A file of the tapsets is refused where it lies, so a copy is asked.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'verdicts-'));
const SHARE = '/usr/share/';
const AT_ONCE = 2;

/** What stap reads of a kernel before it parses. */
const BUILD_FOLDER = {
  '.config': '',
  Makefile: 'VERSION = 6\nPATCHLEVEL = 1\nSUBLEVEL = 0\n',
  'Module.symvers': '',
  'include/config/kernel.release': '6.1.0\n',
};

const ERROR = /^(?:parse error|usage error): ((?:.*\n)+?) +(saw|at): (?:\S+ (EOF)|(.*) at \S+:(\d+:\d+))$/gm;

/** The verdict on a file, or on a text where the file is `-`. */
async function ask(file, text = '') {
  const child = spawn('stap', ['-r', join(work, 'kernel'), '-p1', file], { stdio: ['pipe', 'ignore', 'pipe'] });
  const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  child.stdin.on('error', () => {});
  child.stdin.end(text);
  const stderr = await readText(child.stderr);
  const status = await ended;
  const errors = [...stderr.matchAll(ERROR)].map(([, message, word, end, token, place]) => ({
    place: end === undefined ? place : 'end',
    message: message.trim().replace(/\s+/g, ' '),
    [word]: end ?? token,
  }));
  const [, what] = /^Input file '.*' (is empty.*)$/m.exec(stderr) ?? [];
  if (what !== undefined) errors.push({ place: 'file', message: what });
  const [, suppressed] = /^Number of similar error messages suppressed: (\d+)/m.exec(stderr) ?? [];
  if ((status === 0) !== (errors.length === 0)) throw new Error(`an answer on ${file} that is not understood:\n${stderr}`);
  return { status, errors, ...(suppressed === undefined ? {} : { suppressed: Number(suppressed) }) };
}

/** The answers to all, some at a time, in order. */
async function askAll(questions) {
  const answers = [];
  const rest = questions.entries();
  const worker = async () => {
    for (const [index, question] of rest) answers[index] = await ask(...question);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return answers;
}

async function recordTexts() {
  const texts = JSON.parse(readFileSync(join(here, 'texts.json'), 'utf8'));
  const names = Object.keys(texts);
  const answers = await askAll(names.map((name) => ['-', texts[name]]));
  const byName = Object.fromEntries(names.map((name, index) => [name, answers[index]]));
  writeFileSync(join(here, 'answers.json'), `${JSON.stringify(byName, null, 2)}\n`);
  console.log(`${answers.filter(({ status }) => status !== 0).length} of ${names.length} texts refused`);
}

async function recordFiles() {
  const files = ['systemtap-doc', 'systemtap-common']
    .flatMap((name) => execFileSync('dpkg', ['-L', name], { encoding: 'utf8' }).split('\n'))
    .filter((file) => file.startsWith(SHARE) && file.endsWith('.stp'))
    .sort();
  cpSync(`${SHARE}systemtap/tapset`, join(work, 'tapset'), { recursive: true });
  const asked = files.map((file) => [file.replace(`${SHARE}systemtap/tapset`, join(work, 'tapset'))]);
  const lines = (await askAll(asked)).map(({ status, errors: [first] }, index) => {
    const line = [files[index].slice(SHARE.length), status];
    return (first === undefined ? line : [...line, first.place, first.message]).join('\t');
  });
  writeFileSync(join(here, 'files.tsv'), `${lines.join('\n')}\n`);
  console.log(`${lines.length} files`);
}

try {
  for (const [file, text] of Object.entries(BUILD_FOLDER)) {
    const path = join(work, 'kernel', file);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }
  if (wanted.length === 0 || wanted.includes('texts')) await recordTexts();
  if (wanted.length === 0 || wanted.includes('files')) await recordFiles();
} finally {
  rmSync(work, { recursive: true, force: true });
}
