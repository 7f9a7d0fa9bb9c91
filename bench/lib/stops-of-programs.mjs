// How long clients of redis-server wait while all of its functions are armed, and how long that takes; and how long a
// recording of `git log` takes. The programs are Debian's: one that is not installed is left out with a word.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './pairs.mjs';
import { cannot, verdict } from './verdict.mjs';

const REDIS = ['/usr/bin/redis-server', '/usr/bin/redis-benchmark'];
const GIT = '/usr/bin/git';
const COMMITS = 25;
const CLIENTS = '20';

const lacks = (...paths) => paths.find((path) => !existsSync(path));
const range = (values) => `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)} in ${values.length}`;

/** A client that asks redis for one increment after the other. */
async function increments(path) {
  const socket = connect(path);
  await once(socket, 'connect');
  let longest = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const asked = performance.now();
      socket.write('incr counted\r\n');
      await once(socket, 'data');
      longest = Math.max(longest, performance.now() - asked);
    }
  })();
  return {
    /** The longest wait since the last call, in milliseconds. */
    longest() {
      const since = longest;
      longest = 0;
      return since;
    },
    async end() {
      isOver = true;
      await asking;
      socket.destroy();
    },
  };
}

/** @param fentry runs the command */
export async function redisRows({ fentry, folder, rounds }) {
  const missing = lacks(...REDIS);
  if (missing !== undefined)
    return cannot('stops of redis-server', `there is no ${missing}: install redis-server and redis-tools`);
  const path = join(folder, 'redis');
  const server = spawn(REDIS[0], ['--port', '0', '--unixsocket', path, '--dir', folder, '--save', ''], { stdio: 'ignore' });
  let load;
  try {
    while (!existsSync(path)) await sleep(20);
    load = spawn(REDIS[1], ['-s', path, '-c', CLIENTS, '-n', '1000000000', '-q', 'incr', 'loaded'], { stdio: 'ignore' });
    const client = await increments(path);
    const times = { idle: [], first: [], again: [], waits: [] };
    const timed = async (into, args) => {
      client.longest();
      const began = performance.now();
      await fentry(args);
      into.push(performance.now() - began);
      times.waits.push(client.longest());
    };
    const pid = String(server.pid);
    const graph = ['start', '--pid', pid, '-g', 'incrCommand'];
    for (let round = -1; round < rounds; round++) {
      await sleep(500);
      times.idle.push(client.longest());
      await fentry(['attach', '--native', pid]);
      await timed(round < 0 ? [] : times.first, graph);
      await fentry(['write', '--pid', pid, 'current_tracer', 'nop']);
      await timed(round < 0 ? [] : times.again, graph);
      await fentry(['detach', pid]);
      client.longest();
    }
    await client.end();
    const armed = `${CLIENTS} clients of redis-benchmark and one that is measured`;
    verdict({
      name: 'redis-server: start -g incrCommand, first',
      ratio: median(times.first),
      unit: ' ms',
      target: 'below 1000, warm cache',
      detail: `${range(times.first)}: the command, from its start until all functions are armed; ${armed}`,
    });
    verdict({
      name: 'redis-server: the same again',
      ratio: median(times.again),
      unit: ' ms',
      detail: range(times.again),
    });
    verdict({
      name: 'redis-server: the longest a client waits',
      ratio: median(times.waits),
      unit: ' ms',
      detail: `for one answer while functions are armed, ${range(times.waits)}; in half a second without, ${median(times.idle).toFixed(0)} (${range(times.idle)})`,
    });
  } finally {
    load?.kill('SIGKILL');
    server.kill('SIGKILL');
  }
}

/** A repository with some commits. */
function repository(folder, env) {
  const path = join(folder, 'repository');
  mkdirSync(path);
  const git = (...args) =>
    execFileSync(GIT, ['-c', 'user.name=one', '-c', 'user.email=one@example.org', ...args], { cwd: path, env });
  git('init', '-q');
  for (let i = 0; i < COMMITS; i++) {
    writeFileSync(join(path, `file${i % 5}`), `${i}\n`);
    git('add', '.');
    git('commit', '-q', '-m', `commit ${i}`);
  }
  return path;
}

export async function gitRow({ fentry, folder, env, rounds }) {
  const missing = lacks(GIT);
  if (missing !== undefined) return cannot('record --native -- git log', `there is no ${missing}: install git`);
  const gitEnv = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_PAGER: 'cat' };
  const path = repository(folder, { ...env, ...gitEnv });
  const times = [];
  for (let round = -1; round < rounds; round++) {
    const began = performance.now();
    await fentry(
      ['record', '--native', '-p', 'function', '-o', join(folder, 'git.dat'), '--', GIT, '-C', path, 'log', '-3'],
      gitEnv,
    );
    if (round >= 0) times.push(performance.now() - began);
  }
  verdict({
    name: 'record --native -p function -- git log -3',
    ratio: median(times),
    unit: ' ms',
    target: 'below 1000, warm cache',
    detail: `${range(times)}: the whole command, with all functions of the process traced`,
  });
}
