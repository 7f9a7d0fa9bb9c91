import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TraceClient } from '../../src/client/trace-client.js';
import { ProbedProgram, untilAnswered } from './support/probed-program.js';
import { Sandbox, until } from './support/program.js';

const write = (files: TraceClient, path: string, text: string): Promise<void> => untilAnswered(files.write(path, text));

const MANY = 1000;
const names = Array.from({ length: MANY }, (_, i) => `many${i}`);
const PROGRAM = `${names.map((name, i) => `function ${name}(n) {\n  const own = n + ${i};\n  return own;\n}`).join('\n')}
const all = [${names}];
setInterval(() => console.log(all.reduce((sum, one) => sum + one(1), 0)), 20);
`;

test('a thousand probes are hit, and removed again', async (t) => {
  const program = await ProbedProgram.start(new Sandbox(t), PROGRAM);
  const { files } = program;
  const [before] = program.lines.keys();
  await write(
    files,
    'kprobe_events',
    names.map((name) => `p:many/${name} ${name} n\nr:many/${name}_end ${name} $retval\n`).join(''),
  );
  await write(files, 'events/many/enable', '1');
  const unhit = async (): Promise<number> =>
    (await files.read('kprobe_profile')).split('\n').filter((line) => / 0 +0$/.test(line)).length;
  await until(async () => (await unhit()) === 0, 'all are hit');
  const isPatched = async (): Promise<boolean> => (await files.read('enabled_functions')).match(/^many\d+ /gm)?.length === MANY;
  await until(isPatched, 'all are listed');
  await write(files, 'events/many/enable', '0');
  await write(files, 'kprobe_events', '');
  await program.turns(2);
  assert.deepEqual([await files.read('enabled_functions'), [...program.lines.keys()]], ['', [before]]);
});

test('breakpoints above the limit are counted misses with a line in error_log', async (t) => {
  const program = await ProbedProgram.start(new Sandbox(t), PROGRAM);
  const { files } = program;
  const [before] = program.lines.keys();
  const lines = names.slice(0, 300).map((name) => `p:many/${name} ${name}:2 own\n`);
  await write(files, 'kprobe_events', lines.join(''));
  await write(files, 'events/many/enable', '1');
  await until(async () => /one too many/.test(await files.read('error_log')), 'error_log says so');
  await program.turns(2);
  await write(files, 'events/many/enable', '0');
  await write(files, 'kprobe_events', '');
  assert.deepEqual([...program.lines.keys()], [before]);
});

const HOT = `const { Worker, isMainThread } = require('node:worker_threads');
function hot(n) {
  const next = n + 1;
  return next;
}
function turn() {
  let n = 0;
  while (n < 5000) n = hot(n);
  return n;
}
if (isMainThread) {
  let exits = 0;
  const begin = () => {
    const worker = new Worker(__filename);
    setTimeout(() => worker.terminate(), 300);
    worker.on('exit', begin);
  };
  begin();
  setInterval(() => console.log(turn()), 20);
} else for (;;) turn();
`;

const MILLION = 1_000_000;
const OFTEN = `function hot(n) {
  const next = n + 1;
  return next;
}
function turn() {
  let n = 0;
  while (n < ${MILLION}) n = hot(n);
  return n;
}
process.on('SIGUSR2', () => console.log('turn', turn()));
console.log('ready');
setInterval(() => {}, 1000);
`;

test('of a million calls in one turn each is a hit, and each record is read or counted as lost', async (t) => {
  const program = await ProbedProgram.start(new Sandbox(t), OFTEN, { parameters: 'statement_sites=app' });
  const { files } = program;
  for (const probe of ['p hot n', 'r hot $retval', 'p hot:2 next']) {
    const event = await program.probe(probe);
    await files.write('trace', '');
    const turns = program.lines.get(`turn ${MILLION}`) ?? 0;
    program.child.kill('SIGUSR2');
    await until(() => (program.lines.get(`turn ${MILLION}`) ?? 0) > turns, 'it has had its turn');
    assert.deepEqual(await program.counts(event), [MILLION, 0], probe);
    const [, entries, overrun] = /entries: (\d+)\noverrun: (\d+)\n/.exec(await files.read('per_cpu/cpu0/stats'))!;
    assert.equal(Number(entries) + Number(overrun), MILLION, probe);
    await write(files, `events/kprobes/${event}/enable`, '0');
  }
});

test('a function that is called all the time: its probes come and go, in threads that end too', async (t) => {
  const program = await ProbedProgram.start(new Sandbox(t), HOT);
  const { files } = program;
  const entry = await program.probe('p hot n');
  const end = await program.probe('r hot $retval n');
  await program.turns(2);
  for (const event of [entry, end]) {
    for (let i = 0; i < 6; i++) await write(files, `events/kprobes/${event}/enable`, String(i % 2));
    const [hits] = await program.counts(event);
    assert.ok(hits > 5000, `${hits} hits`);
  }
  const middle = await program.probe('p hot:2 next');
  // On a fast machine too many hits end it soon, which is a counted miss.
  await until(async () => (await program.counts(middle)).some((count) => count > 0), 'it is hit');
  for (const event of [entry, end, middle]) await write(files, `events/kprobes/${event}/enable`, '0');
  await write(files, 'kprobe_events', '');
  await program.turns(2);
  assert.deepEqual([[...program.lines.keys()], await files.read('enabled_functions')], [['5000'], '']);
});
