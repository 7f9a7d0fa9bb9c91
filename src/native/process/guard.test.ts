import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownIdentity } from '../../recording/process-identity.js';
import { testFolder } from '../testing/programs.js';
import { debtsSettled } from './guard.js';

const TRACED = 4711;
/** The identity of a process that has ended. */
const ended = (): string => {
  const { pid } = spawnSync('true');
  return ownIdentity().replace(/^\d+,\d+/, `${pid},1`);
};

test('who attaches waits for the guard of a host that was killed, and for no other one', async (t) => {
  const program = join(testFolder(t), 'native-guard.cjs');
  writeFileSync(program, "console.log('works'); process.stdin.resume();");
  const guard = async (pid: number, host: string) => {
    const child = spawn(process.execPath, [program, String(pid), host], { stdio: ['pipe', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    return child;
  };
  await guard(TRACED, ownIdentity());
  await guard(TRACED + 1, ended());
  await debtsSettled(program, TRACED);
  const works = await guard(TRACED, ended());
  let isSettled = false;
  const settled = debtsSettled(program, TRACED).then(() => {
    isSettled = true;
  });
  // It looks at all processes before it waits.
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(isSettled, false);
  works.stdin.end();
  await settled;
});
