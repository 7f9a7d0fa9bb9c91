import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { PRELOAD, Sandbox, until } from '../e2e/support/program.js';

const OWN_BUILD = /job-queue\/(dist|node_modules)/;
const TSC = resolve('node_modules/typescript/bin/tsc');

/** The library and its demo, installed and built in a folder of its own. `npm run typecheck` checks its types. */
function install(t: TestContext): Sandbox {
  const sandbox = new Sandbox(t);
  cpSync('examples/job-queue', sandbox.folder, { recursive: true, filter: (path) => !OWN_BUILD.test(path) });
  const modules = join(sandbox.folder, 'node_modules');
  mkdirSync(modules);
  symlinkSync(resolve('.'), join(modules, 'fentry'));
  symlinkSync(resolve('node_modules/@types'), join(modules, '@types'));
  execFileSync(process.execPath, [TSC, '--noCheck'], { cwd: sandbox.folder });
  return sandbox;
}

const TWO_ROUNDS = '1 2 3 4 5 6 7 8 9 10\n11 12 13 14 15 16 17 18 19 20\ndrained after 10, 20 jobs\n';

test('without fentry the library works, and probes are called', async (t) => {
  const { stdout, stderr, code } = await install(t).run(['demo.mjs', '2']);
  assert.deepEqual({ stdout, stderr, code }, { stdout: TWO_ROUNDS, stderr: '', code: 0 });
});

test('with fentry it does the same', async (t) => {
  const { stdout, stderr, code } = await install(t).run(['--import', PRELOAD, 'demo.mjs', '2']);
  assert.deepEqual({ stdout, stderr, code }, { stdout: TWO_ROUNDS, stderr: '', code: 0 });
});

test('its events are recorded, filtered and counted while it runs', async (t) => {
  const sandbox = install(t);
  sandbox.spawn(['--import', PRELOAD, 'demo.mjs', '1000000', '5']).stdout!.resume();
  const cat = (path: string): Promise<string> => sandbox.read(path);
  const write = async (path: string, text: string): Promise<void> => {
    const { stderr } = await sandbox.fentry('write', path, text);
    assert.equal(stderr, '');
  };
  await until(async () => (await cat('available_events')).includes('jobs:'), 'the events are declared');
  assert.deepEqual((await cat('available_events')).match(/^jobs:.*/gm)!.sort(), [
    'jobs:job_added',
    'jobs:job_done',
    'jobs:job_retry',
    'jobs:job_start',
  ]);

  await write('events/jobs/job_done/filter', 'name == "mail" && wait < 1000000');
  await write('events/jobs/job_done/enable', '1');
  await write('events/jobs/job_retry/enable', '1');
  const trace = async (): Promise<string> => {
    const text = await cat('trace');
    return text.replace(/^#.*\n/gm, '');
  };
  await until(async () => /job_done(.*\n)*.*job_retry(.*\n)*.*job_done/.test(await trace()), 'some are recorded');
  await write('events/jobs/enable', '0');
  for (const line of (await trace()).split('\n').slice(0, -1)) {
    const jobs =
      /: (?:job_done: id=(\d+) name=mail wait=\d+us run=\d+us result=\{"number":(\d+)\}|job_retry: id=(\d+) name=\w+ attempt=2)$/;
    const [, done, result, retried] = jobs.exec(line) ?? assert.fail(line);
    assert.equal(done, result);
    if (retried !== undefined) assert.equal(Number(retried) % 7, 0);
  }

  await write('events/jobs/job_done/trigger', 'hist:keys=name:vals=run');
  const counted = async (): Promise<string[]> =>
    Array.from(
      (await cat('events/jobs/job_done/hist')).matchAll(/\{ name: (\w+) +\} hitcount: +[1-9]\d* +run: +[1-9]/g),
      ([, name]) => name!,
    );
  await until(async () => (await counted()).length === 3, 'each kind of job is counted');
  assert.deepEqual((await counted()).sort(), ['index', 'mail', 'resize']);
});
