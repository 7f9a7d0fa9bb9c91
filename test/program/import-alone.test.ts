import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRELOAD, Sandbox } from '../e2e/support/program.js';

/** Prints how many functions of each of the thread's files have sites. */
const SITES = `
import { Session } from 'node:inspector';
export const sites = () => {
  const session = new Session();
  const scripts = [];
  session.connect();
  session.on('Debugger.scriptParsed', ({ params }) => scripts.push(params));
  session.post('Debugger.enable');
  for (const { scriptId, url } of scripts) {
    if (!/[/]counted-/.test(url)) continue;
    session.post('Debugger.getScriptSource', { scriptId }, (_error, { scriptSource }) => {
      const sites = scriptSource.match(/typeof \\$f\\$*\\d+===/g) ?? [];
      process._rawDebug(url.replace(/.*counted-/, ''), sites.length);
    });
  }
  session.disconnect();
};`;

test('a program with no preload but --import fentry loads what workers need when it needs it', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file(
    'plain.cjs',
    `const list = process.moduleLoadList; console.log(list.join().includes('worker' + '_threads'));`,
  );
  const plain = await sandbox.run(['--import', `data:text/javascript,`, program]);
  assert.equal((await sandbox.run(['--import', PRELOAD, program])).stdout, plain.stdout);
});

test('there, workers, modules and what a hook of the program has made have sites', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('sites.mjs', SITES);
  sandbox.file('counted-late.mjs', 'export default 1;');
  sandbox.file('counted-worker.mjs', `import { sites } from './sites.mjs'; export const a = () => 1; a(); sites();`);
  sandbox.file(
    'hooks.mjs',
    `export const load = async (url, context, next) => url.endsWith('counted-late.mjs')
       ? { format: 'module', shortCircuit: true, source: 'export const one = () => 1; export const two = () => 2;' }
       : next(url, context);`,
  );
  const program = sandbox.file(
    'counted-main.mjs',
    `import { register } from 'node:module';
     import { Worker } from 'node:worker_threads';
     import { sites } from './sites.mjs';
     const main = () => new Promise((resolve) => new Worker(new URL('counted-worker.mjs', import.meta.url)).on('exit', resolve));
     await main();
     register('./hooks.mjs', import.meta.url);
     await import('./counted-late.mjs');
     sites();`,
  );
  const { code, stderr } = await sandbox.run(['--no-deprecation', '--import', PRELOAD, program]);
  assert.deepEqual([code, stderr], [0, 'worker.mjs 1\nmain.mjs 2\nlate.mjs 2\n']);
});
