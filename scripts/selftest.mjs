// Runs the kernel's own tests of ftrace, unmodified and by its own ftracetest, against a Node program whose functions have the
// kernel's names, and writes docs/selftests.md: `npm run selftest [-- [--write] [TEST.tc | FOLDER]...]`, TEST and FOLDER as under
// test.d. It needs root, /dev/fuse and Debian's apt (for linux-source-6.1). --write writes the page, for a run of all of them.
// Exits 1 when a test that has no reason on record does not pass, or one that has does.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { kernelSelftests, testsIn } from '../test/selftests/kernel-selftests.mjs';
import { FOLDERS, REASONS } from '../test/selftests/reasons.mjs';
import { outcomesOf, passed, table } from '../test/selftests/table.mjs';

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

const args = process.argv.slice(2);
const write = args.includes('--write');
const chosen = args.filter((word) => word !== '--write');

const work = mkdtempSync(join(tmpdir(), 'fentry-selftest-'));
/** A test puts as many probes into the middle of functions as a thread may have breakpoints: they use sites. */
const FENTRY = 'statement_sites=app';
const env = { ...process.env, NODE_OPTIONS: '', FENTRY, FENTRY_DIR: join(work, 'sockets') };
mkdirSync(env.FENTRY_DIR, { mode: 0o700 });
/** ftracetest writes to this file of the machine's; in its mount namespace it shall write to another. */
const realTime = join(work, 'sched_rt_runtime_us');
writeFileSync(realTime, '950000\n');

/**
 * Where the tests send a ping, so that something is scheduled, the fixture has a task of that name, which runs all the time; so has it
 * child processes that execute a file of that name, without arguments.
 */
const bin = join(work, 'bin');
mkdirSync(bin);
const command = (name, text) => writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
command('ping', '[ $# = 0 ] || exec sleep .2');
/** In the kernel each command of a test is a new task before it runs. The fixture is told of these, and forks one, too. */
const fork = 'kill -USR2 "$FIXTURE" 2>/dev/null && sleep .02';
for (const name of ['cat', 'grep']) command(name, `${fork}\nexec /bin/${name} "$@"`);
env.PATH = `${bin}:${env.PATH}`;

const folder = kernelSelftests(join(ROOT, '.cache'));
const tests = testsIn(folder, chosen.length > 0 ? chosen : FOLDERS);

const startFixture = async () => {
  const child = spawn(process.execPath, ['--import', PRELOAD, FIXTURE], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  while (!existsSync(join(env.FENTRY_DIR, `${child.pid}.sock`))) await sleep(20);
  await sleep(500);
  return child;
};

/** Runs one test as ftracetest does, in a mount namespace of its own. */
const run = (fixture, test) => {
  const logs = mkdtempSync(join(work, 'logs-'));
  const script = 'mount --bind "$0" /proc/sys/kernel/sched_rt_runtime_us && exec sh "$1" -k -l "$2" "$3"';
  const words = ['exec', '--pid', String(fixture.pid), '--', 'sh', '-c', script];
  const { error, stderr } = spawnSync(process.execPath, [CLI, ...words, realTime, join(folder, 'ftracetest'), logs, test.file], {
    env: { ...env, FIXTURE: String(fixture.pid) },
    encoding: 'utf8',
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
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
      console.log(good ? `  passes, although: ${known}` : log.trim().split('\n').slice(-30).join('\n').replace(/^/gm, '  '));
    }
    results.push({ test, outcomes, reason: good ? undefined : known });
  }
} finally {
  fixture.kill('SIGKILL');
  rmSync(work, { recursive: true, force: true });
}

const passing = results.filter(({ test, outcomes }) => passed(outcomes, test.onInstance)).length;
console.log(`${passing} of ${results.length} pass`);
if (write) {
  const page = join(ROOT, 'docs/selftests.md');
  const [head] = readFileSync(page, 'utf8').split(/^\| test \|/m);
  writeFileSync(page, `${head.replace(/\d+ of \d+ pass/, `${passing} of ${results.length} pass`)}${table(results)}\n`);
}
process.exitCode = surprises > 0 ? 1 : 0;
