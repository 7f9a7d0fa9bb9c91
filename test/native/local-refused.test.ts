import assert from 'node:assert/strict';
import { cpSync, existsSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { REQUIRED, Sandbox, until } from '../e2e/support/program.js';
import { changedObjects } from './changed-objects.js';
import { noTracing, textRefusal } from './native-machine.js';

/** For each line, a turn: functions of JavaScript and of Node's executable. */
const PROGRAM = `
const { availableParallelism, homedir } = require('node:os');
function turn() { return availableParallelism() > 0 && homedir() !== ''; }
require('node:readline').createInterface({ input: process.stdin }).on('line', () => console.log(turn()));
console.log('ready');
`;

describe('a process of which no native text can be changed for a time', { skip: noTracing || textRefusal() }, () => {
  it('records no native function meanwhile, and then those that are asked for', async (t) => {
    const sandbox = new Sandbox(t);
    const dist = join(sandbox.folder, 'dist');
    cpSync(dirname(REQUIRED), dist, { recursive: true, filter: (path) => !path.endsWith('.map') });
    const child = sandbox.spawn(['--require', join(dist, 'preload.cjs'), sandbox.file('program.cjs', PROGRAM)], {
      FENTRY: 'native',
    });
    const pid = child.pid!;
    let output = '';
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
    child.stderr!.on('data', (chunk) => t.diagnostic(String(chunk)));
    await until(() => output === 'ready\n' && existsSync(join(sandbox.sockets, `${pid}.sock`)), 'the program runs');
    const files = sandbox.client(pid);
    const traced = async (): Promise<readonly string[]> => {
      await files.write('trace', '');
      output = '';
      child.stdin!.write('\n');
      await until(() => output === 'true\n', 'a turn is over');
      return [...(await files.read('trace')).matchAll(/: (\w+)(?: \[node\])? <-/g)].map(([, name]) => name!);
    };
    await files.write('set_ftrace_filter', 'turn uv_available_parallelism');
    await files.write('current_tracer', 'function');
    assert.deepEqual(await traced(), ['turn', 'uv_available_parallelism']);

    // What stops the process and changes it is not there.
    const [stopper, away] = [join(dist, 'native-stop.cjs'), join(dist, 'away.cjs')];
    renameSync(stopper, away);
    await assert.rejects(files.write('current_tracer', 'nop'), { errno: 'EIO', message: /changes this one's text/ });
    assert.deepEqual(await traced(), []);
    assert.match(await files.read('error_log'), /changes this one's text[\s\S]*Command: uv_available_parallelism \[node\]/);
    await files.write('set_ftrace_filter', 'turn uv_os_homedir');
    await assert.rejects(files.write('current_tracer', 'function'), { errno: 'EIO' });
    assert.deepEqual(await traced(), ['turn']);
    // What concerns JavaScript alone is not refused.
    await files.write('current_tracer', 'nop');

    renameSync(away, stopper);
    await files.write('current_tracer', 'function');
    assert.deepEqual(await traced(), ['turn', 'uv_os_homedir']);
    await files.write('current_tracer', 'nop');
    assert.deepEqual(changedObjects(pid), []);
  });
});
