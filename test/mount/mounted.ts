import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Sandbox } from '../e2e/support/program.js';

/**
 * A program whose files are mounted for the time of a test.
 * @param parameters FENTRY
 */
export async function mounted(t: TestContext, source: string, parameters = '') {
  let directory = '';
  // Before the sandbox removes its folder.
  t.after(() => void execFileSync('sh', ['-c', 'umount -i -l "$1" 2>/dev/null || :', 'sh', directory]));
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(source, { FENTRY: parameters });
  directory = join(sandbox.folder, 'my tracing');
  mkdirSync(directory);
  const { code, stderr } = await sandbox.fentry('mount', directory);
  assert.equal(code, 0, stderr);
  return { sandbox, program, directory, shell: (script: string) => sh(directory, script) };
}

/** What a shell prints that stands in the directory: stdout and stderr together. */
export function sh(cwd: string, script: string): Promise<string> {
  return new Promise((resolve) => {
    const options = { cwd, encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, LC_ALL: 'C' } } as const;
    execFile('sh', ['-c', `exec 2>&1\n${script}`], options, (_error, stdout) => resolve(stdout));
  });
}
