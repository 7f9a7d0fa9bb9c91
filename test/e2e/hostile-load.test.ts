import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProbedProgram } from './support/probed-program.js';
import { Sandbox, until } from './support/program.js';

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
  await files.write(
    'kprobe_events',
    names.map((name) => `p:many/${name} ${name} n\nr:many/${name}_end ${name} $retval\n`).join(''),
  );
  await files.write('events/many/enable', '1');
  const unhit = async (): Promise<number> =>
    (await files.read('kprobe_profile')).split('\n').filter((line) => / 0 +0$/.test(line)).length;
  await until(async () => (await unhit()) === 0, 'all are hit');
  assert.equal((await files.read('enabled_functions')).match(/^many\d+ /gm)?.length, MANY);
  await files.write('events/many/enable', '0');
  await files.write('kprobe_events', '');
  await program.turns(2);
  assert.deepEqual([await files.read('enabled_functions'), [...program.lines.keys()]], ['', [before]]);
});

test('breakpoints above the limit are counted misses with a line in error_log', async (t) => {
  const program = await ProbedProgram.start(new Sandbox(t), PROGRAM);
  const { files } = program;
  const [before] = program.lines.keys();
  const lines = names.slice(0, 300).map((name) => `p:many/${name} ${name}:2 own\n`);
  await files.write('kprobe_events', lines.join(''));
  await files.write('events/many/enable', '1');
  await until(async () => /one too many/.test(await files.read('error_log')), 'error_log says so');
  await program.turns(2);
  await files.write('events/many/enable', '0');
  await files.write('kprobe_events', '');
  assert.deepEqual([...program.lines.keys()], [before]);
});

const HOT = `const { Worker, isMainThread } = require('node:worker_threads');
function hot(n) {
  const next = n + 1;
  return next;
}
function turn() {
  let n = 0;
  while (n < 300000) n = hot(n);
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

test('a function that is called all the time: its probes come and go, in threads that end too', async (t) => {
  const program = await ProbedProgram.start(new Sandbox(t), HOT);
  const { files } = program;
  const entry = await program.probe('p hot n');
  const end = await program.probe('r hot $retval n');
  await program.turns(2);
  for (const event of [entry, end]) {
    for (let i = 0; i < 20; i++) await files.write(`events/kprobes/${event}/enable`, String(i % 2));
    const [hits] = await program.counts(event);
    assert.ok(hits > 100_000, `${hits} hits`);
  }
  const middle = await program.probe('p hot:2 next');
  await until(async () => /too many hits/.test(await files.read('error_log')), 'error_log has the end of the probe');
  await until(async () => (await program.counts(middle))[1] > 0, 'its end is a counted miss');
  await program.turns(5);
  for (const event of [entry, end, middle]) await files.write(`events/kprobes/${event}/enable`, '0');
  await files.write('kprobe_events', '');
  await program.turns(2);
  assert.deepEqual([[...program.lines.keys()], await files.read('enabled_functions')], [['300000'], '']);
});
