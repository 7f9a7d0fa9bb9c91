import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DUMP_FORMATS } from '../../src/dump/dump-formats.js';
import { functionRecord, PageBuilder, printRecord } from '../../src/output/trace-dat/testing/page-builder.js';
import { writeRecording } from '../../src/output/trace-dat/testing/recording.js';
import { CLI, Sandbox } from '../e2e/support/program.js';

const OPTIONS = DUMP_FORMATS.map(({ option }) => option);
const MAIN = 0xffffffff81000000n;

/** A recording with these pages, as `t.dat`. */
const recorded = (sandbox: Sandbox, pages: PageBuilder): string =>
  writeRecording(sandbox.folder, [pages.bytes()], {
    version: '0',
    kallsyms: ['ffffffff81000000 t main\nffffffff81000100 t end\n'],
    cmdlines: [[7, 'node']],
  });

test('an empty recording becomes an empty file of each format, and stderr says so', async (t) => {
  const sandbox = new Sandbox(t);
  recorded(sandbox, new PageBuilder());
  for (const option of OPTIONS) {
    const { code, stderr } = await sandbox.fentry('dump', `--${option}`, '-i', 't.dat', '-o', `t.${option}`);
    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      /^fentry dump: (the recording has no events|there is no call with a time: record with -p function_graph)$/m,
      option,
    );
    assert.ok(existsSync(join(sandbox.folder, `t.${option}`)), option);
  }
  assert.deepEqual(JSON.parse(readFileSync(join(sandbox.folder, 't.chrome'), 'utf8')).traceEvents, []);
  assert.deepEqual(JSON.parse(readFileSync(join(sandbox.folder, 't.speedscope'), 'utf8')).profiles, []);
});

test('a recording without calls has its events and marks', async (t) => {
  const sandbox = new Sandbox(t);
  recorded(sandbox, new PageBuilder().event(1000, printRecord(7, MAIN, 'a mark')).event(2000, functionRecord(7, MAIN, 0n)));
  const { code, stdout, stderr } = await sandbox.fentry('dump', '--chrome', '-i', 't.dat');
  assert.deepEqual([code, stderr], [0, '']);
  const names = (JSON.parse(stdout).traceEvents as { ph: string; name: string }[]).filter(({ ph }) => ph === 'i');
  assert.deepEqual(
    names.map(({ name }) => name),
    ['a mark', 'main'],
  );
});

test('an output that is the recording, a folder, or two files at once is refused, and nothing is lost', async (t) => {
  const sandbox = new Sandbox(t);
  const path = recorded(sandbox, new PageBuilder().event(1000, printRecord(7, MAIN, 'a mark')));
  const before = readFileSync(path);
  sandbox.file('x.events.parquet', '');
  writeFileSync(join(sandbox.folder, 'x.events.parquet'), before);
  mkdirSync(join(sandbox.folder, 'folder'));
  for (const [args, words] of [
    [['--perfetto', '-i', 't.dat', '-o', 't.dat'], /-o t\.dat is the recording itself/],
    [['--parquet', '-i', 'x.events.parquet', '-o', 'x.parquet'], /-o x\.events\.parquet is the recording itself/],
    [['--perfetto', '-i', 't.dat', '-o', 'folder'], /-o folder is a folder: name a file/],
    [['--parquet', '-i', 't.dat'], /--parquet writes several files: name them with -o FILE/],
    [['--perfetto', '--chrome', '-i', 't.dat'], /one run writes one format: --perfetto or --chrome/],
    [['--perfetto', '-i', 't.dat', '--from', 'no such mark'], /--from no such mark: no mark contains this text/],
    [['--perfetto', '-i', 't.dat', '--from', '2s', '--to', '1s'], /--to 1s is before --from 2s/],
  ] as const) {
    const { code, stderr } = await sandbox.fentry('dump', ...args);
    assert.equal(code, 2, args.join(' '));
    assert.match(stderr, words);
  }
  assert.deepEqual(readFileSync(path), before);
  assert.deepEqual(readFileSync(join(sandbox.folder, 'x.events.parquet')), before);
});

const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

test('a full disk is named; the file that was there stays, and no part of the new one', {
  skip: canMount ? false : 'no mount namespace may be made here',
}, (t) => {
  const sandbox = new Sandbox(t);
  const pages = new PageBuilder();
  for (let i = 0; i < 5000; i++) pages.event(1000 + i, printRecord(7, MAIN, `mark ${i} ${'x'.repeat(100)}`));
  const path = recorded(sandbox, pages);
  const small = join(sandbox.folder, 'small');
  mkdirSync(small);
  for (const option of ['perfetto', 'chrome', 'parquet']) {
    const script =
      'mount -t tmpfs -o size=64k none "$0" && echo old > "$0/out" && "$1" "$2" dump "--$3" -i "$4" -o "$0/out"; ls -A "$0"; cat "$0/out"';
    const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script, small, process.execPath, CLI, option, path], {
      encoding: 'utf8',
      env: sandbox.env(),
    });
    assert.match(stderr, /^fentry dump: \S+\/out(\.events\.parquet)? was not written: no space is left on the device$/m);
    assert.equal(stdout, 'out\nold\n', option);
  }
  assert.ok(statSync(path).size > 0);
  assert.deepEqual(readdirSync(small), []);
});
