// What a mount costs beside the socket: requests a second, CPU time a request, and cat of a full buffer both ways.
import { execFileSync, spawn } from 'node:child_process';
import {
  accessSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './lib/child.mjs';
import { cannot, verdict } from './lib/verdict.mjs';

const READS = 20_000;
const ROUNDS = 5;
const PROGRAM = 'function leaf() {} function burst() { for (let i = 0; i < 1000; i++) leaf(); } setInterval(burst, 1);';

/** Microseconds of CPU that a process has used. */
const cpuOf = (pid) => {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10_000;
};

/** The process that serves the mount. */
const serverOf = (folder) =>
  readdirSync('/proc').find((pid) => {
    try {
      const command = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
      return command.includes('fuse.js') && command.includes(folder);
    } catch {
      return false;
    }
  });

const milliseconds = async (run) => {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
};
const least = async (run) => {
  let best = Infinity;
  for (let i = 0; i < ROUNDS; i++) best = Math.min(best, await milliseconds(run));
  return best;
};

const fetchFile = (socketPath, path) =>
  new Promise((resolve, reject) => {
    const sent = request({ socketPath, path, agent: false }, (answer) => answer.on('end', resolve).resume());
    sent.on('error', reject).end();
  });

async function measure(folder) {
  const sockets = join(folder, 'sockets');
  const mount = join(folder, 'tracing');
  mkdirSync(sockets, { mode: 0o700 });
  mkdirSync(mount);
  const env = { ...process.env, FENTRY_DIR: sockets };
  const file = join(folder, 'program.cjs');
  writeFileSync(file, PROGRAM);
  const target = spawn(process.execPath, ['--import', join(ROOT, 'dist/index.js'), file], { env, stdio: 'ignore' });
  const socket = join(sockets, `${target.pid}.sock`);
  try {
    while (!existsSync(socket)) await sleep(20);
    execFileSync(process.execPath, [join(ROOT, 'dist/cli.js'), 'mount', '--pid', String(target.pid), mount], { env });
    const sh = (script) => execFileSync('sh', ['-c', script], { cwd: mount, maxBuffer: 1 << 28 });
    sh('echo function > current_tracer; sleep 2; echo 0 > tracing_on');
    const server = serverOf(folder);
    const cpu = cpuOf(server);
    const ms = await milliseconds(() => sh(`dd if=trace of=/dev/null bs=50 count=${READS} 2>/dev/null`));
    verdict({
      name: 'requests',
      ratio: (READS / ms) * 1000,
      unit: '/s',
      detail: `${READS} reads of 50 bytes, one after the other`,
    });
    verdict({ name: 'CPU a request', ratio: (cpuOf(server) - cpu) / READS, unit: ' µs', detail: 'of the FUSE server' });
    const bytes = Number(sh('cat trace | wc -c'));
    const mounted = await least(() => sh('cat trace > /dev/null'));
    const direct = await least(() => fetchFile(socket, '/trace'));
    const detail = `cat of ${(bytes / 2 ** 20).toFixed(1)} MB: ${mounted.toFixed(0)} ms / GET over the socket: ${direct.toFixed(0)} ms`;
    verdict({ name: 'cat trace, mount/socket', ratio: mounted / direct, detail });
  } finally {
    target.kill();
    while (target.exitCode === null && target.signalCode === null) await sleep(20);
    while (readFileSync('/proc/mounts', 'utf8').includes(folder)) await sleep(20);
  }
}

try {
  if (process.getuid() !== 0 || !statSync('/dev/fuse').isCharacterDevice()) throw new Error('needs root');
  accessSync('/dev/fuse');
  const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-mount-'));
  try {
    await measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
} catch (error) {
  cannot('mount', error.message);
}
