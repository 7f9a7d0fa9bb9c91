import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { start } from '../../src/native/testing/programs.js';
import { Sandbox, until } from '../e2e/support/program.js';
import { attach, lacks, textRefusal } from './native-machine.js';

const run = promisify(execFile);
const REQUESTS = 2000;

/** scripts/real-programs.mjs does more of this kind. */
describe('redis-server as Debian has compiled it', { skip: lacks('redis-server') || textRefusal() }, () => {
  it('counts each request while all its functions and those of its libraries are traced', async (t) => {
    const sandbox = new Sandbox(t);
    const socket = join(sandbox.folder, 'redis');
    const options = ['--port', '0', '--unixsocket', socket, '--dir', sandbox.folder, '--save', ''];
    const program = start(t, 'redis-server', options);
    const cli = async (...args: string[]): Promise<string> => (await run('redis-cli', ['-s', socket, ...args])).stdout.trim();
    await until(async () => (await cli('ping').catch(() => '')) === 'PONG', 'the server is ready');
    const load = (): Promise<unknown> =>
      run('redis-benchmark', ['-s', socket, '-n', String(REQUESTS), '-c', '10', '-q', 'incr', 'counted']);
    const { files, pid } = await attach(t, program, sandbox);
    const whenArmed = load();
    await files.write('current_tracer', 'function_graph');
    await whenArmed;
    await load();
    assert.equal(await cli('get', 'counted'), String(2 * REQUESTS));
    assert.ok((await files.read('enabled_functions')).split('\n').length > 10_000);
    await files.write('set_graph_function', 'incrCommand');
    await files.write('trace', '');
    await load();
    assert.match(await files.read('trace'), /\| +incrCommand\(\) \{\n.*\| +incrDecrCommand\(\) \{$/m);
    const whenDetached = load();
    assert.equal((await sandbox.fentry('detach', String(pid))).code, 0);
    await whenDetached;
    assert.equal(await cli('get', 'counted'), String(4 * REQUESTS));
  });
});
