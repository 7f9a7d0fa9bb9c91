import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { FENTRY, REQUIRED, run, testFile } from '../support/program.js';

/**
 * Each program under fixtures/ holds one thing that instrumenting JavaScript easily breaks; its first line says which. It
 * must print the same with fentry loaded, with sites at its statements and of its modules too, and with every function traced.
 */
const folder = testFile('hazards/fixtures');
const programs = readdirSync(folder).filter((name) => /\.m?js$/.test(name));
const QUIET = '--no-deprecation';

describe('programs behave the same', { concurrency: 2 }, () => {
  for (const program of programs) {
    test(program.replace(/\.m?js$/, ''), async () => {
      const path = `${folder}/${program}`;
      const plain = await run(path, { flags: [QUIET] });
      assert.notEqual(plain.stdout, '', plain.stderr);
      const idle = await run(path, { flags: [QUIET, '--require', REQUIRED] });
      assert.deepEqual([idle.stdout, idle.status], [plain.stdout, plain.status], `idle\n${idle.stderr}`);
      const statements = await run(path, {
        flags: [QUIET, '--require', REQUIRED],
        env: { FENTRY: 'statement_sites=app module_sites' },
      });
      assert.deepEqual([statements.stdout, statements.status], [plain.stdout, plain.status], `statements\n${statements.stderr}`);
      const armed = await run(path, { flags: [QUIET, '--import', FENTRY], env: { FENTRY: 'ftrace=function module_sites' } });
      assert.deepEqual([armed.stdout, armed.status], [plain.stdout, plain.status], `traced\n${armed.stderr}`);
    });
  }
});

test('the programs do have sites, but where sites would break them', async () => {
  const flags = [QUIET, '--import', FENTRY, '--import', testFile('support/report-sites.mjs')];
  const sites = async (program: string) =>
    Number(/^sites \S+ (\d+)$/m.exec((await run(`${folder}/${program}`, { flags })).stderr)?.[1]);
  assert.equal(await sites('spacing.js'), 25);
  assert.equal(await sites('es-module.mjs'), 6);
  assert.equal(await sites('asm.js'), 2);
  assert.equal(await sites('with-statement.js'), 1);
});
