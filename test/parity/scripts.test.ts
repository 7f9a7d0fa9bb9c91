import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createTracefs } from '../../src/control/tree/tracefs.js';
import { kernelProcess } from './kernel-process.js';
import { MiniShell } from './mini-shell.js';

const folder = new URL('../../../test/parity/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, folder), 'utf8');

/**
 * What may differ: bash names the script and the line before an error, error_log the time, fentry has options that are
 * younger than Linux 6.1, a return probe follows any number of calls if it was not told how many (the kernel's then shows 10),
 * and an error says which symbol is missing.
 */
const normalized = (text: string): string =>
  text
    .replace(/^\S+: line \d+: /gm, '')
    .replace(/^r10:/gm, 'r:')
    .replace(/: there is no .*$/gm, '')
    .replace(/^\[ *\d+\.\d{6}\] /gm, '[TIME] ')
    .replace(
      /^(no)?(graph-time|async-context|patch-at-once|places|func-args|funcgraph-retval|funcgraph-retval-hex|funcgraph-args)\n/gm,
      '',
    )
    .trimEnd();

/** Scripts whose probes fetch memory by the name of a symbol: those of JavaScript find a variable there. */
const OF_MACHINE_CODE = ['kprobe-arguments-odd.sh', 'kprobe-memory-bad.sh'];

/** The file that scripts set uprobes in: one of the machine that the kernel was asked on. */
const PROBED = '/bin/busybox';

const scripts = readdirSync(new URL('scripts', folder)).filter((name) => name !== 'reset.sh');
for (const name of scripts) {
  const script = read(`scripts/${name}`);
  const skip = script.includes(PROBED) && !existsSync(PROBED) && `there is no ${PROBED}`;
  test(`${name} prints what the kernel prints`, { skip }, async () => {
    const shell = new MiniShell(createTracefs(kernelProcess(OF_MACHINE_CODE.includes(name) ? 'machine code' : 'javascript')));
    if (!script.includes('# fresh')) await shell.run(read('scripts/reset.sh'));
    const text = await shell.run(script);
    assert.equal(normalized(text), normalized(read(`golden/${name.replace('.sh', '.txt')}`)));
  });
}

test('there are as many answers as scripts', () => {
  const answers = readdirSync(new URL('golden', folder)).filter((name) => name.endsWith('.txt'));
  // The scripts of facts/ are for unit tests: their events are the kernel's.
  const facts = readdirSync(new URL('facts', folder));
  assert.deepEqual(answers.map((name) => name.replace('.txt', '.sh')).sort(), [...scripts, ...facts].sort());
  assert.ok(scripts.length >= 200);
});
