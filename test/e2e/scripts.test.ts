import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { finished, LISTENING, Sandbox, until } from './support/program.js';

/** Calls `area` and `fib` again and again, and says so at its end. */
const PROGRAM = `
function area(w, h) { if (w > 90) throw new RangeError('too wide'); return w * h; }
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
async function order(id) { await null; return { id, lines: ['tea', 'cake'] }; }
let i = 0;
setInterval(() => {
  i++;
  area(i % 90, 2);
  fib(5);
  void order(i);
}, 2);
`;

/** Whether no function calls anything. */
const isIdle = async (sandbox: Sandbox, pid: number): Promise<boolean> =>
  (await sandbox.client(pid).read('enabled_functions')) === '';

/** A part of a script: it ends when its probes have been hit so often, however slow the machine is. */
const AFTER = (hits: number): string => ` interval:ms:50 { if (@seen >= ${hits}) { exit(); } }`;

test('a one-liner counts by the function’s name while the program runs, and leaves every site idle', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const bpftrace = (program: string, ...words: string[]) =>
    sandbox.fentry('bpftrace', '-p', String(pid), '-e', program, ...words);
  const counted = await bpftrace(`kprobe:area, kprobe:fib { @[func] = count(); @seen++; }${AFTER(500)}`);
  assert.equal(counted.stderr, '');
  assert.match(counted.stdout, /^Attaching 3 probes\.\.\.\n/);
  assert.equal(counted.code, 0);
  const [area, fib] = ['area', 'fib'].map((name) => Number(new RegExp(`@\\[${name}\\]: (\\d+)`).exec(counted.stdout)?.[1]));
  assert.ok(fib! > 10 * area!, counted.stdout);
  await until(() => isIdle(sandbox, pid), 'no site calls anything');
  assert.deepEqual(
    (await sandbox.client(pid).list('scripts')).map(({ name }) => name),
    [],
  );
});

test('a return has its value and what its own entry has stored, in recursion too', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const bpftrace = (program: string) => sandbox.fentry('bpftrace', '-p', String(pid), '-e', program);
  const values = await bpftrace(`kretprobe:fib { @[retval] = count(); @seen++; }${AFTER(500)}`);
  // fib(5) is 5; below it are fib(1) five times and fib(0) three times, fib(2), fib(3) and fib(4).
  const counts = new Map([...values.stdout.matchAll(/^@\[(\d+)\]: (\d+)$/gm)].map(([, value, count]) => [value, Number(count)]));
  assert.deepEqual([...counts.keys()].toSorted(), ['0', '1', '2', '3', '5'], values.stdout);
  assert.equal(counts.get('1')! / counts.get('5')!, 8, values.stdout);
  const times = await bpftrace(
    `kprobe:fib { @start[tid] = nsecs; } kretprobe:fib /@start[tid]/ { @ns = hist(nsecs - @start[tid]); @seen++; }${AFTER(50)}`,
  );
  assert.match(times.stdout, /^@ns: $/m);
  assert.match(times.stdout, /^\[\d+K?, \d+K?\) +\d+ \|@+ *\|$/m);
});

test('printf has what a probe reads of the arguments, and the fields of an event', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const bpftrace = (program: string) => sandbox.fentry('bpftrace', '-p', String(pid), '-e', program);
  const args = await bpftrace('kprobe:area /arg0 == 7/ { printf("%s %d %d\\n", func, arg0, arg1); exit(); }');
  assert.match(args.stdout, /^area 7 2$/m, args.stderr);
  const fields = await bpftrace(`tracepoint:timer:timer_expire_entry { @[args->function] = count(); @seen++; }${AFTER(20)}`);
  assert.match(fields.stdout, /^@\[.+\]: [1-9]\d*$/m, fields.stderr);
});

test('a global of a script of SystemTap is set by -G', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const script = 'global n = 1, text probe begin { printf("%d %s\\n", n, text) exit() }';
  const set = await sandbox.fentry('stap', '-x', String(pid), '-G', 'n=7', '--global', 'text=tea', '-e', script);
  assert.equal(set.stdout, '7 tea\n', set.stderr);
});

test('what is refused is said with its place, and the exit code is 1', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const refused = await sandbox.fentry('bpftrace', '-p', String(pid), '-e', 'kprobe:aera { @ = cuont(); }');
  assert.equal(refused.code, 1);
  assert.equal(refused.stdout, '');
  assert.match(refused.stderr, /^stdin:1:\d+-\d+: ERROR: /);
  assert.deepEqual(
    (await sandbox.client(pid).list('scripts')).map(({ name }) => name),
    [],
  );
});

test('a signal ends a script: its END runs, and all of its output comes; a killed one leaves nothing', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(`${PROGRAM}; setTimeout(() => { for (;;) area(1, 2); }, 200);`, LISTENING);
  const program = 'kprobe:area { @n = count(); @seen++; if (@seen == 1000) { printf("hit\\n"); } } END { printf("bye\\n"); }';
  const start = () => {
    const client = sandbox.spawnFentry('bpftrace', '-p', String(pid), '-e', program);
    let text = '';
    client.stdout!.on('data', (chunk) => {
      text += chunk;
    });
    return { client, hit: until(() => text.includes('hit'), 'area is hit a thousand times') };
  };
  const interrupted = start();
  const ended = finished(interrupted.client);
  await interrupted.hit;
  interrupted.client.kill('SIGINT');
  const { stdout, code } = await ended;
  assert.equal(code, 0);
  assert.match(stdout, /^hit\nbye\n[\s\S]*^@n: \d{4,}$/m);
  const killed = start();
  await killed.hit;
  const gone = once(killed.client, 'exit');
  killed.client.kill('SIGKILL');
  await gone;
  // The program is in an endless loop.
  await until(() => isIdle(sandbox, pid), 'no site calls anything');
});

test('a script with a command is there before the first call, and has the last one', async (t) => {
  const sandbox = new Sandbox(t);
  const file = sandbox.file(
    'calls.cjs',
    'function area(w) { return w; }\nfor (let i = 0; i < 1000; i++) area(i);\nprocess.exitCode = 3;\n',
  );
  const counted = await sandbox.fentry(
    'bpftrace',
    '-c',
    `${process.execPath} ${file}`,
    '-e',
    'kprobe:area { @ = sum(arg0); @n = count(); }',
  );
  assert.match(counted.stdout, /^@: 499500$/m, counted.stderr);
  assert.match(counted.stdout, /^@n: 1000$/m);
  assert.equal(counted.code, 3);
});

test('five threads count exactly, and what a terminated worker has counted stays', async (t) => {
  const sandbox = new Sandbox(t);
  const program = `
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
function area(w) { return w; }
const calls = () => { for (let i = 0; i < 25000; i++) area(i); };
if (isMainThread) {
  calls();
  let left = 4;
  for (let i = 0; i < 4; i++) {
    const worker = new Worker(__filename);
    worker.on('message', async () => { await worker.terminate(); if (--left === 0) console.log('done'); });
  }
} else { calls(); parentPort.postMessage(1); setInterval(() => {}, 1000); }
`;
  const file = sandbox.file('threads.cjs', program);
  const counted = await sandbox.fentry(
    'bpftrace',
    '-c',
    `${process.execPath} ${file}`,
    '-e',
    'kprobe:area { @n++; @ = count(); @sum = sum(arg0); }',
  );
  assert.match(counted.stdout, /^@: 125000$/m, counted.stderr + counted.stdout);
  assert.match(counted.stdout, /^@n: 125000$/m);
  assert.match(counted.stdout, /^@sum: 1562437500$/m);
});

test('functions that call each other in too long a row are refused, and the next script runs', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(PROGRAM);
  const client = sandbox.client(pid);
  await client.mkdir('scripts/row');
  const row = Array.from({ length: 5000 }, (_, i) => `function f${i}() { return f${i + 1}() }`).join(' ');
  const source = `#!/usr/bin/env stap\nprobe begin { f0() } ${row} function f5000() { return 1 }`;
  await assert.rejects(client.write('scripts/row/source', source), /ERROR: .* too long a row|nested too deeply/);
  assert.match(await client.read('scripts/row/status'), /^state failed$/m);
  await client.write('scripts/row/source', '#!/usr/bin/env stap\nprobe begin { println("here"); exit() }');
  assert.equal(await client.read('scripts/row/output'), 'here\n');
});

/** Blocks its event loop from a line on stdin until a file is there. */
const BLOCKED = `
const { existsSync } = require('node:fs');
function untilFileIsThere() { while (!existsSync(__filename + '.go')); }
process.stdin.once('data', () => setTimeout(() => { untilFileIsThere(); console.log('free again'); process.exit(); }, 1));
setInterval(() => {}, 20);
`;

/**
 * The finder of blocked event loops that nodejs/diagnostics#569 proposes: a turn's beginning is noted by thread and forgotten at
 * its end, and samples look whether one takes long. The loop's own events stand for libuv's functions, a stack for the core dump.
 */
const FINDERS = {
  bpftrace: `t:irq:softirq_entry { @[tid] = nsecs; } t:irq:softirq_exit /@[tid]/ { delete(@[tid]); @turns++; }
    i:ms:50 { if (@turns > 0 && @said == 0) { @said = 1; printf("looks\\n"); } }
    p:hz:99 /@[tid]/ { if (nsecs - @[tid] > 300000000) { printf("blocked in %s\\n", ustack(5)); exit(); } }
    END { clear(@); }`,
  stap: `global since, turns, said
    probe kernel.trace("irq:softirq_entry") { since[tid()] = gettimeofday_ms() }
    probe kernel.trace("irq:softirq_exit") { if (tid() in since) { delete since[tid()]; turns++ } }
    probe timer.ms(50) { if (turns && !said++) println("looks") }
    probe timer.profile { if (tid() in since && gettimeofday_ms() - since[tid()] > 300) {
      printf("blocked in\\n%s\\n", stack_text(5)); exit() } }`,
} as const;

for (const [language, script] of Object.entries(FINDERS)) {
  test(`a script in the language of ${language} says who blocks the event loop while it is blocked`, async (t) => {
    const sandbox = new Sandbox(t);
    const program = await sandbox.start(BLOCKED);
    let printed = '';
    program.stdout!.on('data', (chunk) => {
      printed += chunk;
    });
    const client = sandbox.spawnFentry(language, '-e', script);
    const ended = finished(client);
    let said = '';
    client.stdout!.on('data', (chunk) => {
      said += chunk;
    });
    await until(() => said.includes('looks'), 'the script has seen turns of the loop');
    const ends = once(program, 'close');
    program.stdin!.write('block\n');
    const { stdout, stderr, code } = await ended;
    assert.match(stdout, /^blocked in\s+(\S+\s+){0,4}untilFileIsThere\+(.*\n){1,3} *listOnTimeout\+/m, stdout + stderr);
    assert.equal(code, 0);
    assert.equal(printed, '', 'the report came while it was blocked');
    sandbox.file('program.cjs.go', '');
    await ends;
    assert.equal(printed, 'free again\n');
  });
}

test('a signal that ends the program is the end of its script, too: END runs, and all output comes', async (t) => {
  const sandbox = new Sandbox(t);
  const ends = `${PROGRAM} setTimeout(() => { process.kill(process.pid, 'SIGTERM'); console.log('ran on'); }, 300);`;
  sandbox.file('ends.cjs', ends);
  const program = 'kprobe:area { @n = count(); } END { printf("bye\\n"); }';
  const { stdout, signal } = await sandbox.fentry('bpftrace', '-c', 'exec node ends.cjs', '-e', program);
  assert.match(stdout, /^Attaching 2 probes\.\.\.\nbye\n[\s\S]*^@n: \d+$/m);
  assert.ok(!stdout.includes('ran on'), stdout);
  assert.equal(signal, 'SIGTERM');
});

test('a script that prints faster than anybody reads keeps nobody waiting: what has no room is lost, and counted', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(`
function area(i) { return i; }
setInterval(() => { for (let i = 0; i < 1000; i++) area(i); }, 5);`);
  const client = sandbox.client(pid);
  await client.mkdir('scripts/loud');
  const source = `#!/usr/bin/env stap\nprobe kernel.function("area") { println("${'x'.repeat(400)}") } probe end { println("end") }`;
  await client.write('scripts/loud/source', source);
  await until(async () => /^lost [1-9]/m.test(await client.read('scripts/loud/status')), 'some is lost');
  await client.write('scripts/loud/status', 'exit');
  const lines = (await client.read('scripts/loud/output')).split('\n');
  assert.deepEqual(lines.slice(-2), ['end', '']);
  const lost = Number(/(\d+) transport failures/.exec(await client.read('scripts/loud/messages'))?.[1]);
  const status = await client.read('scripts/loud/status');
  assert.equal(lines.length - 2 + lost, Number(/^probe kernel.* (\d+)$/m.exec(status)?.[1]), status);
});

/** Calls a function all the time, and answers. */
const TIGHT = `
let n = 0;
function tight(a, b) { n++; return a + b; }
function turn() { for (let i = 0; i < 10000; i++) tight(i, n); setImmediate(turn); }
turn();
process.on('SIGUSR2', () => { console.log('called ' + (n > 0)); process.exit(); });
`;

test('a script that takes over half of a thread ends, says so, and the program goes on', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(TIGHT);
  const script = 'probe kernel.function("tight") { printf("%s %d\\n", sprintf("%d of %d", $a, $b), strlen(ppfunc())) }';
  const { code, stderr } = await sandbox.fentry('stap', '-x', String(program.pid), '-o', '/dev/null', '-e', script);
  assert.match(stderr, /^ERROR: the script took more than half of the time of a thread: it was ended$/m);
  assert.equal(code, 1, stderr);
  const done = finished(program);
  program.kill('SIGUSR2');
  assert.equal((await done).stdout, 'called true\n');
});

/** Ends calls by exceptions in all ways. */
const THROWING = `
const thrower = { byName() { throw new RangeError('by name'); }, byNoName() { throw 'a text'; }, nested() { this.byNoName(); } };
function inGenerator() { throw new TypeError('in a generator'); }
function* generate() { try { yield inGenerator(); } catch (error) { yield error; } }
function nowhere() { throw new Error('nowhere'); }
async function rejects() { await null; return fails(); }
function fails() { throw new SyntaxError('it rejects'); }
async function catches() { try { fails(); } catch (error) { await error; } }
function undone() { try { fails(); } finally { Math.abs(1); } }
process.on('uncaughtException', () => {});
setInterval(() => {
  try { thrower.byName(); } catch (error) {}
  try { thrower.nested(); } catch {}
  [...generate()];
  rejects().catch(() => {});
  catches();
  try { undone(); } catch {}
  setImmediate(nowhere);
}, 5);
`;

test('a return says what has ended the call, wherever that is caught', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(THROWING);
  const script = `global n, c
    probe kernel.function("*").return { if (thrown() != "") n[ppfunc(), thrown()]++; if (ppfunc() == "nowhere" && c++ > 3) exit() }
    probe end { foreach ([f, text] in n) printf("%s: %s\\n", f, text) }`;
  const { stdout, stderr } = await sandbox.fentry('stap', '-x', String(pid), '-e', script);
  assert.deepEqual(
    [...new Set(stdout.trimEnd().split('\n'))].toSorted(),
    [
      'fails: (fault)',
      'fails: SyntaxError: it rejects',
      'inGenerator: TypeError: in a generator',
      'nowhere: Error: nowhere',
      'rejects: SyntaxError: it rejects',
      'thrower.byName: RangeError: by name',
      'thrower.byNoName: a text',
      'thrower.nested: a text',
      'undone: SyntaxError: it rejects',
    ],
    stderr,
  );
});
