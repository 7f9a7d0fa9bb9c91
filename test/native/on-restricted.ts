import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../../src/base/attempt.js';
import { asTraceError } from '../../src/base/errno.js';
import { TraceClient } from '../../src/client/trace-client.js';
import { remoteTarget } from '../../src/native/control/native-target.js';
import { processMaps } from '../../src/native/process/process-maps.js';
import { ProcessMemory } from '../../src/native/process/process-memory.js';
import { threadState } from '../../src/native/process/tasks.js';

/** What an emulated machine runs for restricted.test.ts: says for each case who may change a program, and what is left of it. */

const PROGRAM = '/program/program';
const USER = 1000;
const SCOPE = '/proc/sys/kernel/yama/ptrace_scope';

/** A program of a user that nobody here is a parent of; `child` has its input and output. */
interface Orphan {
  readonly pid: number;
  readonly child: ChildProcess;
}

async function orphan(uid: number): Promise<Orphan> {
  // Node closes the first three when the shell has ended.
  const stdio = ['ignore', 'pipe', 'inherit', 'pipe'] as const;
  const child = spawn('sh', ['-c', `${PROGRAM} <&3 &`], { uid, gid: uid, stdio: [...stdio] });
  const [ready] = await once(child.stdout!, 'data');
  const pid = Number(/\d+/.exec(String(ready))?.[0]);
  // Before it waits for input, the C library maps room for that.
  while (threadState(pid, pid) !== 'S') await sleep(10);
  return { pid, child };
}

/** What is mapped in a program, and its text, unless nobody may read that (scope 3). */
const contents = (pid: number): string => [readFileSync(`/proc/${pid}/maps`, 'latin1'), ...textsOf(pid)].join('\n');

/** The text of a program, unless nobody may read that. */
function textsOf(pid: number): readonly string[] {
  const memory = attempt(() => new ProcessMemory(pid));
  if (memory === undefined) return [];
  const texts = processMaps(pid)
    .filter(({ permissions, path }) => permissions === 'r-xp' && path.startsWith('/'))
    .map(({ start, end }) =>
      createHash('sha1')
        .update(memory.read(start, end - start))
        .digest('hex'),
    );
  memory.close();
  return texts;
}

/** Why a user may not change a program. */
function refusal(uid: number, pid: number): string {
  process.setegid!(uid);
  process.seteuid!(uid);
  try {
    remoteTarget(pid, { stacks: '', cacheFolder: undefined });
    return 'may';
  } catch (error) {
    const { errno, message } = asTraceError(error);
    return `${errno} ${message.replace(/process \d+/, 'process PID')}`;
  } finally {
    process.seteuid!(0);
    process.setegid!(0);
  }
}

async function answer({ child }: Orphan): Promise<string> {
  (child.stdio[3] as Writable).write('\n');
  const [text] = await once(child.stdout!, 'data');
  return String(text).trim();
}

const say = (what: string, text: string): void => console.log(`= ${what}: ${text}`);

/** Who may, and whether a program is what it was where none may. */
async function tell(what: string, uids: readonly number[]): Promise<void> {
  const program = await orphan(USER);
  const before = contents(program.pid);
  for (const uid of uids) say(`${what}, ${uid === 0 ? 'root' : 'user'}`, refusal(uid, program.pid));
  say(`${what}, program`, `${contents(program.pid) === before ? 'as before' : 'changed'}, ${await answer(program)}`);
  process.kill(program.pid, 'SIGKILL');
}

function record(what: string): void {
  const verb = ['record', '--native', '-p', 'function', '-l', 'step', '-o', '/tmp/trace.dat', '--', PROGRAM];
  const options = { uid: USER, gid: USER, input: '\n', encoding: 'utf8', env: { PATH: '/bin', HOME: '/tmp' } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/cli.js', ...verb], options);
  const events = /(\d+) events/.exec(stderr)?.[1];
  say(`${what}, own child`, status === 0 ? `${stdout.trim().split('\n').at(-1)}, ${events} events` : stderr.trim());
}

/** For each line, a turn: a function of JavaScript and one of Node's executable. */
const OWN_PROGRAM = `
const { availableParallelism } = require('node:os');
function turn() { return availableParallelism() > 0; }
require('node:readline').createInterface({ input: process.stdin }).on('line', () => console.log(turn()));
console.log('ready');
`;
const SOCKETS = '/tmp/sockets';

/**
 * What a Node program with FENTRY=native has traced of both its texts, and whether its own is what it was where that is refused.
 */
async function own(what: string, uid: number): Promise<void> {
  writeFileSync('/tmp/own.cjs', OWN_PROGRAM);
  rmSync(SOCKETS, { recursive: true, force: true });
  mkdirSync(SOCKETS, { mode: 0o700 });
  chownSync(SOCKETS, uid, uid);
  const env = { PATH: '/bin', HOME: '/tmp', FENTRY: 'native', FENTRY_DIR: SOCKETS, FENTRY_CACHE: `/tmp/cache-${uid}` };
  const options = { uid, gid: uid, env, stdio: ['pipe', 'pipe', 'inherit'] } as const;
  const child = spawn(process.execPath, ['--require', '/fentry/dist/preload.cjs', '/tmp/own.cjs'], {
    ...options,
    stdio: [...options.stdio],
  });
  const answered = async (): Promise<string> => String((await once(child.stdout!, 'data'))[0]).trim();
  await answered();
  const socket = `${SOCKETS}/${child.pid}.sock`;
  while (!existsSync(socket)) await sleep(100);
  const files = new TraceClient(child.pid!, socket);
  await files.write('set_ftrace_filter', 'turn');
  // There is no such function where only JavaScript is traced.
  await files.append('set_ftrace_filter', 'uv_available_parallelism').catch(() => {});
  const before = textsOf(child.pid!).join();
  const refused = await files.write('current_tracer', 'function').then(
    () => 'may',
    (error: unknown) => asTraceError(error).errno,
  );
  const after = textsOf(child.pid!).join() === before ? 'as before' : 'changed';
  child.stdin!.write('\n');
  const answer = await answered();
  const traced = [...(await files.read('trace')).matchAll(/: (\w+)(?: \[node\])? <-/g)].map(([, name]) => name);
  const [logged = 'nothing'] = /(?<=error: ).*/.exec(await files.read('error_log')) ?? [];
  const off = await files.write('current_tracer', 'nop').then(
    () => 'off',
    (error: unknown) => asTraceError(error).errno,
  );
  say(
    `${what}, ${uid === 0 ? 'root' : 'user'}`,
    `${refused}, ${after}, ${answer}, ${traced.join(' ')}, ${off}, ${logged.trim()}`,
  );
  process.kill(child.pid!, 'SIGKILL');
}

const mode = process.argv[2];
if (mode === 'text') {
  await own('no text', USER);
  process.exit();
}
const isOfScopes = mode === 'scopes';
if (isOfScopes) await tell('scope 0', [USER, 0]);
for (const scope of mode === 'children' ? ['1', '2'] : ['1', '2', '3']) {
  writeFileSync(SCOPE, scope);
  if (mode === 'own') await own(`scope ${scope}`, USER);
  else if (isOfScopes) await tell(`scope ${scope}`, [USER]);
  else record(`scope ${scope}`);
}
if (mode === 'own') await own('scope 3', 0);
process.exit();
