// Compares what `trace-cmd report` and `fentry report` print of a recording, line for line, however long:
// `node scripts/compare-reports.mjs FILE`, or `node scripts/compare-reports.mjs [RECORD-OPTIONS] -- COMMAND...`, which records
// the command first: `node scripts/compare-reports.mjs -p function_graph -- node node_modules/typescript/bin/tsc -p DIR`.
// Both print the same events without what only fentry records (-O extras=0); trace-cmd leaves out the dot before a name that
// begins with `$`, so it is left out of both. Exits 1 at the first line that differs.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

const args = process.argv.slice(2);
const cut = args.indexOf('--');
if (args.length === 0 || cut === args.length - 1) {
  console.error('usage: compare-reports.mjs FILE | compare-reports.mjs [RECORD-OPTIONS] -- COMMAND...');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'fentry-compare-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let file = args[0];
if (cut >= 0) {
  file = join(folder, 'trace.dat');
  const record = [CLI, 'record', ...args.slice(0, cut), '-o', file, '--', ...args.slice(cut + 1)];
  const { status } = spawnSync(process.execPath, record, { stdio: ['inherit', 'ignore', 'inherit'] });
  console.log(`recorded; the command ended with status ${status}`);
}

/** The lines that a command prints, each without the dot before `$`. */
const linesOf = (command, ...words) => {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  child.on('error', ({ message }) => {
    console.error(message);
    process.exit(2);
  });
  return createInterface({ input: child.stdout })[Symbol.asyncIterator]();
};
const plain = (line) => line?.replaceAll(/(?<![\w.])\.(?=\$)/g, '');

const theirs = linesOf('trace-cmd', 'report', '-i', file);
const ours = linesOf(process.execPath, CLI, 'report', '-i', file, '-O', 'extras=0');
for (let count = 0; ; count++) {
  const [{ value: left }, { value: right }] = await Promise.all([theirs.next(), ours.next()]);
  if (plain(left) !== plain(right)) {
    console.log(`line ${count + 1} differs\n  trace-cmd: ${left ?? '(end)'}\n  fentry:    ${right ?? '(end)'}`);
    process.exit(1);
  }
  if (left === undefined) {
    console.log(`${count.toLocaleString('en-US')} lines, all the same`);
    break;
  }
}
