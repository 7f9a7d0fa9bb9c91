import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { graphEntry, graphExit, PageBuilder, printRecord } from '../../src/output/trace-dat/testing/page-builder.js';
import { writeRecording } from '../../src/output/trace-dat/testing/recording.js';
import { CLI, Sandbox } from './support/program.js';
import { onTerminal } from './support/terminal.js';

const F = 0xffffffff81000000n;
const T = 1_000_000n;

/** A function whose name and marker hold what terminals obey, called three times. */
function recording(sandbox: Sandbox): void {
  const pages = new PageBuilder();
  for (const i of [0n, 1n, 2n]) {
    const at = T + i * 10_000_000n;
    pages.event(at, graphEntry(7, F, 0)).event(at + 2_000_000n, graphExit(7, F, 0, at, at + 2_000_000n));
  }
  pages.event(T + 40_000_000n, printRecord(7, F, 'a \u001b]0;title\u0007mark'));
  writeRecording(sandbox.folder, [pages.bytes()], {
    version: '0',
    kallsyms: ['ffffffff81000000 t evil\u001b[31m\n', 'ffffffff81000100 t end\n'],
    cmdlines: [[7, 'no\u009b1mde']],
  });
}

/** What a command prints on a terminal; `path`: where it finds its pager. */
function terminalOutput(
  sandbox: Sandbox,
  command: string,
  env: NodeJS.ProcessEnv,
  path?: string,
): { stdout: string; status: number | null } {
  const line = `${path === undefined ? '' : `PATH=${path} `}${process.execPath} ${CLI} ${command}`;
  const { PAGER: _pager, NO_COLOR: _colour, ...rest } = sandbox.env();
  const options = { cwd: sandbox.folder, env: { ...rest, TERM: 'xterm', ...env }, encoding: 'utf8' } as const;
  const { stdout, status } = spawnSync('script', ['-qec', line, '/dev/null'], options);
  return { stdout: stdout.replaceAll('\r\n', '\n'), status };
}

/** A folder with a shell and nothing else: no `less`. */
function onlyShell(sandbox: Sandbox): string {
  const folder = join(sandbox.folder, 'bin');
  mkdirSync(folder);
  symlinkSync(spawnSync('sh', ['-c', 'command -v sh'], { encoding: 'utf8' }).stdout.trim(), join(folder, 'sh'));
  return folder;
}

test('on a terminal a report has colours, without a pager too, and nothing that the terminal would obey', onTerminal, (t) => {
  const sandbox = new Sandbox(t);
  recording(sandbox);
  const { stdout } = terminalOutput(sandbox, 'report -i t.dat', {}, onlyShell(sandbox));
  const first = '\u001b[2m# marks: + over 10 us, ! over 100 us, # over 1 ms, $ over 1 s\u001b[0m\n\u001b[31m';
  assert.ok(stdout.includes(first), 'what the marks mean stands before the first');
  assert.match(stdout, /^\u001b\[31m.* # 2000\.000 us \| {2}evil\^\[\[31m\(\);\u001b\[0m$/m);
  assert.match(stdout, /^\u001b\[2m *\| {2}\.\.\. 2 more like it, 4\.000 ms\u001b\[0m$/m);
  assert.match(stdout, /noM-\^\[1mde-7 /);
  assert.match(stdout, /a \^\[\]0;title\^Gmark/);
  const plain = terminalOutput(sandbox, 'report --no-fold -i t.dat', { NO_COLOR: '1', PAGER: '' });
  assert.doesNotMatch(plain.stdout, /\u001b/);
  assert.equal(plain.stdout.match(/ evil/g)?.length, 4);
});

test('the profile, the flame graph and errors hold nothing that a terminal would obey', onTerminal, (t) => {
  for (const command of ['report --profile -i t.dat', 'dump --flame-graph -i t.dat', 'report -i "$(printf "\\033[31m.dat")"']) {
    const sandbox = new Sandbox(t);
    recording(sandbox);
    const { stdout } = terminalOutput(sandbox, command, { NO_COLOR: '1', PAGER: 'cat' });
    assert.match(stdout, /\^\[\[31m/);
    assert.doesNotMatch(stdout, /\u001b/);
  }
});

test('JSON does not go onto a terminal', onTerminal, (t) => {
  const sandbox = new Sandbox(t);
  recording(sandbox);
  const { stdout, status } = terminalOutput(sandbox, 'dump --chrome -i t.dat', {});
  assert.equal(status, 2);
  assert.match(
    stdout,
    /^fentry dump: --chrome does not print to a terminal: write a file with -o FILE and open it in ui\.perfetto\.dev$/m,
  );
});

test('in a pipe all lines are printed as they are, folded where that is asked for', async (t) => {
  const sandbox = new Sandbox(t);
  recording(sandbox);
  const { stdout } = await sandbox.fentry('report', '-i', 't.dat');
  assert.equal(stdout.match(/ evil\u001b\[31m\(\);/g)?.length, 3);
  const folded = await sandbox.fentry('report', '-i', 't.dat', '--fold');
  assert.equal(folded.stdout.match(/ evil\u001b\[31m\(\);/g)?.length, 1);
  assert.match(folded.stdout, /\.\.\. 2 more like it, 4\.000 ms$/m);
});

test('dump writes to a file, never over its recording, and leaves the file alone where there is nothing to read', async (t) => {
  const sandbox = new Sandbox(t);
  recording(sandbox);
  const { code, stdout, stderr } = await sandbox.fentry('dump', '--chrome', '-i', 't.dat', '-o', 'out.json');
  assert.deepEqual([code, stdout], [0, '']);
  assert.match(stderr, /^fentry: out\.json has /);
  const path = join(sandbox.folder, 'out.json');
  assert.equal(JSON.parse(readFileSync(path, 'utf8')).traceEvents.length, 6);
  const missing = await sandbox.fentry('dump', '--chrome', '-i', 'none.dat', '-o', 'out.json');
  assert.equal(missing.code, 1);
  assert.notEqual(statSync(path).size, 0);
  const itself = await sandbox.fentry('dump', '--flame-graph', '-i', 't.dat', '-o', 't.dat');
  assert.match(itself.stderr, /-o t\.dat is the recording itself/);
  const full = await sandbox.fentry('dump', '--chrome', '-i', 't.dat', '-o', '/dev/full');
  assert.deepEqual([full.code, full.stderr], [1, 'fentry dump: /dev/full was not written: no space is left on the device\n']);
});

test('a full disk and a closed pipe end every form without a word too many', (t) => {
  const sandbox = new Sandbox(t);
  recording(sandbox);
  const run = (command: string) =>
    spawnSync('sh', ['-c', command], { cwd: sandbox.folder, env: sandbox.env(), encoding: 'utf8' });
  const forms = [
    'report',
    'report --fold',
    'report --trace',
    'report --profile',
    'dump --chrome',
    'dump --flame-graph',
    'ps',
    '--help',
  ];
  for (const form of forms) {
    const words = /^(report|dump)/.test(form) ? `${form} -i t.dat` : form;
    const full = run(`"${process.execPath}" "${CLI}" ${words} > /dev/full`);
    if (form !== 'ps') assert.match(full.stderr, /^fentry[^\n]*: ENOSPC: no space left on device, write\n$/, form);
    if (form !== 'ps') assert.equal(full.status, 1, form);
    const closed = run(`"${process.execPath}" "${CLI}" ${words} | true`);
    assert.deepEqual([closed.status, closed.stderr], [0, ''], form);
  }
});
