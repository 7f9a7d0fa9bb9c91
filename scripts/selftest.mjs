// Runs the kernel's own tests of ftrace, unmodified and by its own ftracetest, against a Node program whose functions have the
// kernel's names: `npm run selftest [-- [--write] [--replaced] [TEST.tc | FOLDER]...]`, TEST and FOLDER as under test.d. It needs root,
// /dev/fuse, strace, and Debian's apt (for linux-source-6.1). --replaced: ping is a pause. --write puts the outcomes into their column of
// docs/selftests.md, for a run of all of them. Exits 1 when a test that has no reason on record does not pass, or one that has does.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { kernelSelftests, testsIn } from '../test/selftests/kernel-selftests.mjs';
import { FOLDERS, REASONS } from '../test/selftests/reasons.mjs';
import { cellsOf, MODES, outcomeCell, outcomesOf, passed, passing, table } from '../test/selftests/table.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PRELOAD = new URL('../dist/index.js', import.meta.url).href;
const CLI = join(ROOT, 'dist/cli.js');
const FIXTURE = join(ROOT, 'test/selftests/fixture/scheduler.cjs');
/** The longest that a test may take, in milliseconds. */
const PATIENCE = 180_000;

const cannotRun = (why) => {
  console.error(`the selftests cannot run here: ${why}`);
  process.exit(2);
};
if (process.getuid() !== 0) cannotRun('they mount, which needs root');
if (!existsSync('/dev/fuse')) cannotRun('there is no /dev/fuse');
if (spawnSync('strace', ['-V']).status !== 0) cannotRun('strace is not installed');

const args = process.argv.slice(2);
const write = args.includes('--write');
const replaced = args.includes('--replaced');
const mode = replaced ? 'replaced' : 'real';
const chosen = args.filter((word) => !word.startsWith('--'));

const work = mkdtempSync(join(tmpdir(), 'fentry-selftest-'));
/** A test puts as many probes into the middle of functions as a thread may have breakpoints: they use sites. */
const FENTRY = 'statement_sites=app trace_options=async-context';
const env = { ...process.env, NODE_OPTIONS: '', FENTRY, FENTRY_DIR: join(work, 'sockets') };
mkdirSync(env.FENTRY_DIR, { mode: 0o700 });
/** ftracetest writes to this file of the machine's; in its mount namespace it shall write to another. */
const realTime = join(work, 'sched_rt_runtime_us');
writeFileSync(realTime, '950000\n');

/** Programs of the run's own. */
const bin = join(work, 'bin');
mkdirSync(bin);
const command = (name, text, file = join(bin, name)) => {
  writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return file;
};
const fifo = (name) => {
  const path = join(work, name);
  execFileSync('mkfifo', [path]);
  return path;
};
/** There is no kernel that could load a module: the fixture loads a package, and tells by another FIFO when it has. */
env.FIXTURE_MODPROBE = fifo('modprobe');
env.FIXTURE_STATUS = fifo('status');
for (const name of ['modprobe', 'rmmod']) {
  command(name, `echo "${name} $*" >"${env.FIXTURE_MODPROBE}"\nread status <"${env.FIXTURE_STATUS}"\nexit "$status"`);
}
env.FIXTURE_MODULES = join(work, 'node_modules');
cpSync(join(ROOT, 'test/selftests/modules'), env.FIXTURE_MODULES, { recursive: true });
/** The fixture has a child process of this name, which ends at once, again and again. */
const folderOfPing = join(work, 'child');
mkdirSync(folderOfPing);
env.FIXTURE_PING = command('', '', join(folderOfPing, 'ping'));
if (replaced) command('ping', 'sleep .2');
env.FIXTURE_STRACE = fifo('strace');
env.FENTRY_INDEX = join(ROOT, 'dist/preload.cjs');
env.PATH = `${bin}:${env.PATH}`;

const folder = kernelSelftests(join(ROOT, '.cache'));
const tests = testsIn(folder, chosen.length > 0 ? chosen : FOLDERS);

const startFixture = async () => {
  const child = spawn(process.execPath, ['--import', PRELOAD, FIXTURE], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  while (!existsSync(join(env.FENTRY_DIR, `${child.pid}.sock`))) await sleep(20);
  await sleep(500);
  return child;
};

/** Calls that make a task of the kernel, change it, or let it sleep. */
const TASK_CALLS = 'fork,vfork,clone,clone3,execve,wait4,chdir,clock_nanosleep,poll,ppoll,select,pselect6,recvmsg';
/** After these a process waits, so that the fixture has heard of the call before it goes on. In microseconds. */
const DELAY = 15_000;
const inject = `inject=fork,vfork,clone,clone3,execve,wait4,chdir:delay_exit=${DELAY}`;
const STRACE = [
  'strace',
  '-f',
  '--seccomp-bpf',
  '-qq',
  '-s',
  '4096',
  '-e',
  `trace=${TASK_CALLS}`,
  '-e',
  'signal=none',
  '-e',
  inject,
  '-o',
  env.FIXTURE_STRACE,
];

/** Runs one test as ftracetest does, in a mount namespace of its own. */
const run = (fixture, test) => {
  const logs = mkdtempSync(join(work, 'logs-'));
  const script = 'mount --bind "$0" /proc/sys/kernel/sched_rt_runtime_us && exec "$@"';
  const words = ['exec', '--pid', String(fixture.pid), '--', 'sh', '-c', script];
  const { error, stderr } = spawnSync(
    process.execPath,
    [CLI, ...words, realTime, ...STRACE, 'sh', join(folder, 'ftracetest'), '-k', '-l', logs, test.file],
    {
      env,
      encoding: 'utf8',
      timeout: PATIENCE,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const text = (name) => readFileSync(join(logs, name), 'utf8');
  const files = readdirSync(logs);
  const outcomes = files.includes('ftracetest.log') ? outcomesOf(text('ftracetest.log')) : outcomesOf('');
  const details = files.filter((name) => name !== 'ftracetest.log').map(text);
  return { outcomes, log: [...details, stderr, error?.message ?? ''].join('\n') };
};

let fixture = await startFixture();
const results = [];
let surprises = 0;
try {
  for (const test of tests) {
    let { outcomes, log } = run(fixture, test);
    const known = REASONS[test.name];
    let isRepeated = false;
    if (!passed(outcomes, test.onInstance) && known === undefined) {
      isRepeated = true;
      ({ outcomes, log } = run(fixture, test));
    }
    if (fixture.exitCode !== null || fixture.signalCode !== null) {
      console.log(`${test.name}: the traced process ended with ${fixture.exitCode ?? fixture.signalCode}`);
      fixture = await startFixture();
      surprises++;
    }
    const good = passed(outcomes, test.onInstance);
    const where = outcomes.instance ? `, in an instance ${outcomes.instance}` : '';
    console.log(`${test.name}: ${outcomes.top ?? 'no outcome'}${where}${isRepeated ? ', when repeated' : ''}`);
    if (good === (known !== undefined)) {
      surprises++;
      console.log(
        good
          ? `  passes, although: ${known}`
          : log
              .trim()
              .split('\n')
              .slice(-Number(process.env.TAIL ?? 30))
              .join('\n')
              .replace(/^/gm, '  '),
      );
    }
    results.push({ test, outcomes });
  }
} finally {
  fixture.kill('SIGKILL');
  rmSync(work, { recursive: true, force: true });
}

const count = results.filter(({ test, outcomes }) => passed(outcomes, test.onInstance)).length;
console.log(`${count} of ${results.length} pass`);
if (write) {
  const page = join(ROOT, 'docs/selftests.md');
  const text = readFileSync(page, 'utf8');
  const [head] = text.split(/^\| test \|/m);
  const cells = cellsOf(text);
  for (const { test, outcomes } of results) cells[test.name] = { ...cells[test.name], [mode]: outcomeCell(outcomes) };
  const [real, silent] = MODES.map((one) => `${passing(cells, one)} of ${Object.values(cells).filter((row) => row[one]).length}`);
  const told = `with the real tools ${real} pass, with ping replaced ${silent}`;
  const counted = head.replace(/with the real tools \d+ of \d+ pass, with ping replaced \d+ of \d+/, told);
  writeFileSync(page, `${counted}${table(tests, cells, REASONS)}\n`);
}
process.exitCode = surprises > 0 ? 1 : 0;
