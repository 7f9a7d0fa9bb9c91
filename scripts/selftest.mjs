// Runs the kernel's own tests of ftrace, unmodified and by its own ftracetest, against a Node program whose functions have the
// kernel's names: `npm run selftest [-- [--write] [--replaced] [TEST.tc | FOLDER]...]`, TEST and FOLDER as under test.d. It needs
// root, /dev/fuse, strace, and Debian's apt (for linux-source-6.1). --replaced: ping is a pause. --write runs all of them, those
// that call ping in both ways, and puts the outcomes into docs/selftests.md, each as soon as it is there. Exits 1 when a test
// that has no reason on record does not pass, or one that has does.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFile,
  writeFileSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { kernelSelftests, testsIn } from '../test/selftests/kernel-selftests.mjs';
import { orderedSocket } from '../test/selftests/ordered-socket.mjs';
import { FOLDERS, REASONS } from '../test/selftests/reasons.mjs';
import { MODES, outcomeCell, outcomesOf, passed, passing, table } from '../test/selftests/table.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PRELOAD = new URL('../dist/index.js', import.meta.url).href;
const CLI = join(ROOT, 'dist/cli.js');
const FIXTURE = join(ROOT, 'test/selftests/fixture/scheduler.cjs');
/** The longest that a test may take, in milliseconds. */
const PATIENCE = 600_000;

const cannotRun = (why) => {
  console.error(`the selftests cannot run here: ${why}`);
  process.exit(2);
};
if (process.getuid() !== 0) cannotRun('they mount, which needs root');
if (!existsSync('/dev/fuse')) cannotRun('there is no /dev/fuse');
if (spawnSync('strace', ['-V']).status !== 0) cannotRun('strace is not installed');

const args = process.argv.slice(2);
const write = args.includes('--write');
const modes = write ? MODES : [args.includes('--replaced') ? 'replaced' : 'real'];
const chosen = args.filter((word) => !word.startsWith('--'));

const work = mkdtempSync(join(tmpdir(), 'fentry-selftest-'));
/** A test puts as many probes into the middle of functions as a thread may have breakpoints: they use sites. */
const FENTRY = 'statement_sites=app trace_options=async-context';
const env = { ...process.env, NODE_OPTIONS: '', FENTRY, FENTRY_DIR: join(work, 'sockets') };
const ordered = join(work, 'ordered');
for (const path of [env.FENTRY_DIR, ordered]) mkdirSync(path, { mode: 0o700 });
/** ftracetest writes to this file of the machine's; in its mount namespace it shall write to another. */
const realTime = join(work, 'sched_rt_runtime_us');
writeFileSync(realTime, '950000\n');

/** Programs of the run's own: for all tests, and those that are in the place of real tools. */
const bin = join(work, 'bin');
const replacements = join(work, 'replacements');
mkdirSync(bin);
mkdirSync(replacements);
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
  // An end without a line is that of the answer before, which was still open for writing.
  const status = `until read status <"${env.FIXTURE_STATUS}"; do :; done`;
  command(name, `echo "${name} $*" >"${env.FIXTURE_MODPROBE}"\n${status}\nexit "$status"`);
}
env.FIXTURE_MODULES = join(work, 'node_modules');
cpSync(join(ROOT, 'test/selftests/modules'), env.FIXTURE_MODULES, { recursive: true });
/** The fixture has a child process of this name, which ends at once, again and again. */
const folderOfPing = join(work, 'child');
mkdirSync(folderOfPing);
env.FIXTURE_PING = command('', '', join(folderOfPing, 'ping'));
command('', 'sleep .2', join(replacements, 'ping'));
env.FIXTURE_STRACE = fifo('strace');
env.FIXTURE_HEARD = fifo('heard');
env.FENTRY_INDEX = join(ROOT, 'dist/preload.cjs');
env.PATH = `${bin}:${env.PATH}`;

const folder = kernelSelftests(join(ROOT, '.cache'));
const tests = testsIn(folder, chosen.length > 0 ? chosen : FOLDERS);

/** Starts the program; its tests reach it by a socket that keeps the order of what they do. */
const startFixture = async () => {
  const child = spawn(process.execPath, ['--import', PRELOAD, FIXTURE], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  const socket = join(env.FENTRY_DIR, `${child.pid}.sock`);
  while (!existsSync(socket)) await sleep(20);
  const waiting = new Map();
  const answers = new Socket({
    fd: openSync(env.FIXTURE_HEARD, constants.O_RDWR | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  });
  createInterface({ input: answers }).on('line', (number) => waiting.get(Number(number))?.());
  child.on('exit', () => {
    for (const settle of waiting.values()) settle();
    answers.destroy();
  });
  let last = 0;
  const heard = () =>
    new Promise((resolve) => {
      const number = ++last;
      waiting.set(number, () => waiting.delete(number) && resolve());
      // Behind all that strace has written.
      writeFile(env.FIXTURE_STRACE, `\u0001${number}\u0001`, (error) => error && resolve());
    });
  const server = await orderedSocket(join(ordered, `${child.pid}.sock`), socket, heard);
  child.on('exit', () => server.close());
  await sleep(500);
  return child;
};

/** Calls that make a task of the kernel, change it, or let it sleep. */
const TASK_CALLS = 'fork,vfork,clone,clone3,execve,wait4,chdir,clock_nanosleep,poll,ppoll,select,pselect6,recvmsg';
const STRACE = ['strace', '-f', '--seccomp-bpf', '-qq', '-s', '4096', '-e', `trace=${TASK_CALLS}`, '-e', 'signal=none', '-o'];

/** Runs one test as ftracetest does, in a mount namespace of its own. */
const run = async (fixture, test, mode) => {
  const logs = mkdtempSync(join(work, 'logs-'));
  const script = 'mount --bind "$0" /proc/sys/kernel/sched_rt_runtime_us && exec "$@"';
  const words = ['exec', '--pid', String(fixture.pid), '--', 'sh', '-c', script];
  const tested = ['sh', join(folder, 'ftracetest'), '-k', '-l', logs, test.file];
  const child = spawn(process.execPath, [CLI, ...words, realTime, ...STRACE, env.FIXTURE_STRACE, ...tested], {
    env: { ...env, FENTRY_DIR: ordered, PATH: mode === 'real' ? env.PATH : `${replacements}:${env.PATH}` },
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [stderr, [, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  const read = (name) => readFileSync(join(logs, name), 'utf8');
  const files = readdirSync(logs);
  const outcomes = files.includes('ftracetest.log') ? outcomesOf(read('ftracetest.log')) : outcomesOf('');
  const details = files.filter((name) => name !== 'ftracetest.log').map(read);
  return { outcomes, log: [...details, stderr, signal === null ? '' : `ended by ${signal}`].join('\n') };
};

let fixture = await startFixture();
let surprises = 0;

/** Runs a test, once more when it fails without a reason, and tells its outcome. */
const outcomesIn = async (mode, test) => {
  let { outcomes, log } = await run(fixture, test, mode);
  const known = REASONS[test.name];
  let isRepeated = false;
  if (!passed(outcomes, test.onInstance) && known === undefined) {
    isRepeated = true;
    ({ outcomes, log } = await run(fixture, test, mode));
  }
  if (fixture.exitCode !== null || fixture.signalCode !== null) {
    console.log(`${test.name}: the traced process ended with ${fixture.exitCode ?? fixture.signalCode}`);
    fixture = await startFixture();
    surprises++;
  }
  const good = passed(outcomes, test.onInstance);
  const where = outcomes.instance ? `, in an instance ${outcomes.instance}` : '';
  const how = mode === 'real' ? '' : ', with ping replaced';
  console.log(`${test.name}: ${outcomes.top ?? 'no outcome'}${where}${how}${isRepeated ? ', when repeated' : ''}`);
  if (good !== (known !== undefined)) return outcomes;
  surprises++;
  const told = log
    .trim()
    .split('\n')
    .slice(-Number(process.env.TAIL ?? 30));
  console.log(good ? `  passes, although: ${known}` : told.join('\n').replace(/^/gm, '  '));
  return outcomes;
};

const PAGE = join(ROOT, 'docs/selftests.md');
const cells = {};
const writePage = () => {
  const [head] = readFileSync(PAGE, 'utf8').split(/^\| test \|/m);
  const [real, silent] = MODES.map((one) => `${passing(cells, one)} of ${Object.keys(cells).length}`);
  const told = `with the real tools ${real} pass, with ping replaced ${silent}`;
  const counted = head.replace(/with the real tools \d+ of \d+ pass, with ping replaced \d+ of \d+/, told);
  writeFileSync(PAGE, `${counted}${table(tests, cells, REASONS)}\n`);
};

let count = 0;
try {
  for (const test of tests) {
    const outcomes = {};
    for (const mode of modes) {
      outcomes[mode] = mode === 'replaced' && outcomes.real && !test.callsPing ? outcomes.real : await outcomesIn(mode, test);
    }
    if (modes.every((mode) => passed(outcomes[mode], test.onInstance))) count++;
    cells[test.name] = Object.fromEntries(modes.map((mode) => [mode, outcomeCell(outcomes[mode])]));
    if (write) writePage();
  }
} finally {
  fixture.kill('SIGKILL');
  rmSync(work, { recursive: true, force: true });
}
console.log(`${count} of ${tests.length} pass`);
process.exitCode = surprises > 0 ? 1 : 0;
