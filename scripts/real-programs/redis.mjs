import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { started, tracedAtWork } from './tracing.mjs';

const run = promisify(execFile);
const REQUESTS = 20_000;

/** Redis under redis-benchmark: all requests are answered without an error, and a counter has counted each. */
export const redis = {
  name: 'redis-server',
  packages: ['redis-server', 'redis-tools'],
  needs: ['/usr/bin/redis-server', '/usr/bin/redis-benchmark'],
  async examine(folder) {
    const socket = join(folder, 'redis');
    const cli = async (...args) => (await run('redis-cli', ['-s', socket, ...args])).stdout.trim();
    const options = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', ''];
    const server = await started('redis-server', options, async () => (await cli('ping')) === 'PONG');
    let all = 0;
    const work = async () => {
      const load = ['-s', socket, '-n', String(REQUESTS), '-c', '20', '--csv', '-e'];
      await run('redis-benchmark', [...load, '-t', 'ping,set,get,lpush,zadd,zpopmin,mset']);
      await run('redis-benchmark', [...load, 'incr', 'counted']);
      all += REQUESTS;
      const counted = Number(await cli('get', 'counted'));
      if (counted !== all) throw new Error(`redis counted ${counted} requests, of ${all}`);
      const script = "local s = 0; for i = 1, 1000 do s = s + i end; return {s, tostring(pcall(error, 'x'))}";
      const answer = await cli('eval', script, '0');
      if (answer !== '500500\nfalse') throw new Error(`a script has the result ${answer}`);
      // A child that fork has made writes the file.
      await cli('save');
      if ((await cli('bgsave')) !== 'Background saving started') throw new Error('no background save');
      while (!/rdb_bgsave_in_progress:0/.test(await cli('info', 'persistence')));
      if (!/rdb_last_bgsave_status:ok/.test(await cli('info', 'persistence'))) throw new Error('the background save failed');
    };
    const traced = await tracedAtWork({ pid: server.pid, folder, work });
    const end = await server.stop();
    if (end !== 0) throw new Error(`redis-server ended with ${end}`);
    return { ...traced, result: `${all.toLocaleString('en')} increments counted, scripts and background saves right` };
  },
};
