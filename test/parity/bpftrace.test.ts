import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Sandbox } from '../e2e/support/program.js';

/**
 * Scripts, and what the real bpftrace has printed of them on Linux 6.1 (record-scripts.mjs). script-output.test.ts compares them
 * all; these show that the command prints the same, its arguments, warnings and timers included.
 */
const FOLDER = fileURLToPath(new URL('../../../test/parity/bpftrace', import.meta.url));
const NAMES = ['arguments', 'order-of-probes', 'signed'];

const textOf = (name: string): string => {
  const path = join(FOLDER, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

test('fentry bpftrace prints what bpftrace has printed on Linux', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start('setInterval(() => {}, 1000);');
  for (const name of NAMES) {
    const [, args = ''] = /^\/\/ arguments: (.*)$/m.exec(textOf(`${name}.bt`)) ?? [];
    const words = args.split(' ').filter((word) => word !== '');
    const { stdout, stderr } = await sandbox.fentry('bpftrace', '-p', String(pid), join(FOLDER, `${name}.bt`), ...words);
    assert.equal(stdout, textOf(`${name}.out`), name);
    assert.equal(stderr.replaceAll(`${FOLDER}/`, ''), textOf(`${name}.err`), name);
  }
});
