import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { remoteTarget } from '../../src/arch/native/control/native-target.js';
import { processMaps } from '../../src/arch/native/process/process-maps.js';
import { ProcessMemory } from '../../src/arch/native/process/process-memory.js';
import { attempt } from '../../src/base/attempt.js';
import { asTraceError } from '../../src/base/errno.js';

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
  const pid = /\d+/.exec(String(ready))?.[0];
  return { pid: Number(pid), child };
}

/** What is mapped in a program, and its text, unless nobody may read that (scope 3). */
function contents(pid: number): string {
  const maps = readFileSync(`/proc/${pid}/maps`, 'latin1');
  const memory = attempt(() => new ProcessMemory(pid));
  if (memory === undefined) return maps;
  const texts = processMaps(pid)
    .filter(({ permissions, path }) => permissions === 'r-xp' && path.startsWith('/'))
    .map(({ start, end }) => Buffer.from(memory.read(start, end - start)).toString('base64'));
  memory.close();
  return [maps, ...texts].join('\n');
}

/** Why a user may not change a program. */
function refusal(uid: number, pid: number): string {
  process.setegid!(uid);
  process.seteuid!(uid);
  try {
    remoteTarget(pid, undefined);
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

const isOfScopes = process.argv[2] === 'scopes';
if (isOfScopes) await tell('scope 0', [USER, 0]);
for (const scope of isOfScopes ? ['1', '2', '3'] : ['1', '2']) {
  writeFileSync(SCOPE, scope);
  if (isOfScopes) await tell(`scope ${scope}`, [USER]);
  else record(`scope ${scope}`);
}
process.exit();
