import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Sandbox, until } from './support/program.js';

const PROGRAM = `const { Worker, isMainThread } = require('node:worker_threads');
let sold = 0;
const rates = { a: 2 };
function sum(list) {
  let total = 0;
  for (const one of list) {
    total += one;
  }
  return total;
}
async function load(id) {
  const found = await Promise.resolve({ id });
  const label = 'item ' + found.id;
  return label;
}
function* walk(n) {
  for (let i = 0; i < n; i++) {
    yield i;
  }
}
class Shelf {
  size = limit(3);
  static { Shelf.made = limit(1); }
  grow(by = limit(4)) { this.size += by; }
}
function limit(n) {
  return n;
}
function work() {
  sold++;
  sum([1, 2, 3]);
  load(sold);
  for (const _ of walk(2));
  new Shelf().grow();
}
setInterval(work, 5);
if (isMainThread) new Worker(__filename);
`;

const start = async (t: TestContext, program = PROGRAM) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(program);
  const cat = (path: string): Promise<string> => sandbox.read(path);
  const append = async (path: string, text: string): Promise<string> => (await sandbox.fentry('append', path, '--', text)).stderr;
  const lines = async (event: string): Promise<readonly string[]> =>
    (await cat('trace')).split('\n').filter((line) => line.includes(` ${event}: `));
  /** What the records of an event say behind their places, once there are so many. */
  const heard = async (event: string, count = 5): Promise<readonly string[]> => {
    await until(async () => (await lines(event)).length >= count, `${event} is heard`);
    return (await lines(event)).map((line) => line.slice(line.indexOf(') ', line.indexOf(` ${event}: `)) + 2));
  };
  const probe = async (line: string): Promise<void> => {
    assert.equal(await append('kprobe_events', line), '');
    const [, event] = /^p:(\w+)/.exec(line)!;
    assert.equal(await append(`events/kprobes/${event}/enable`, '1'), '');
  };
  return { cat, heard, probe };
};

test('a breakpoint knows the callers of its function', async (t) => {
  const { probe, heard } = await start(
    t,
    `function inner(x) {
  const y = x + 1;
  return y;
}
function outer(x) { return [x].map((z) => inner(z))[0]; }
async function later() {
  await null;
  outer(2);
}
setInterval(function tick() { outer(1); later(); }, 5);
`,
  );
  await probe(
    'p:at inner:2 x by=$stack0:symbol built=$stack1:symbol outer=$stack2:symbol top=$stack3:symbol none=$stack12 s=$stack',
  );
  await probe('p:late later:2 by=$stack0');
  const lines = (await heard('at', 4)).map((line) => line.replace(/\+0x\w+\/0x\w+/g, '').replace(/ s=0x\w{4,}$/, ' s=SIZE'));
  assert.deepEqual([...new Set(lines)].sort(), [
    'x=1 by=outer.map@5 built=map [v8] outer=outer top=tick none=0x0 s=SIZE',
    'x=2 by=outer.map@5 built=map [v8] outer=outer top=later none=0x0 s=SIZE',
  ]);
  // An async function that goes on has been called by nobody.
  assert.equal((await heard('late', 1))[0], 'by=0x0');
});

test('a probe on a line of a loop has the locals of each turn', async (t) => {
  const { probe, heard } = await start(t);
  await probe('p:turn sum:3 one total list');
  assert.deepEqual((await heard('turn', 3)).slice(0, 3), [
    'one=1 total=0 list=[1, 2, 3]',
    'one=2 total=1 list=[1, 2, 3]',
    'one=3 total=3 list=[1, 2, 3]',
  ]);
});

test('SYM+OFFS is an address, which may be another function’s', async (t) => {
  const { cat, probe, heard } = await start(t);
  const kallsyms = await cat('kallsyms');
  const [sum, load] = ['sum', 'load'].map((name) =>
    Number(BigInt.asUintN(32, BigInt(`0x${new RegExp(`(\\w+) t ${name}\\n`).exec(kallsyms)![1]}`))),
  );
  await probe(`p:behind sum+${load! - sum!} id`);
  assert.match((await heard('behind', 1))[0]!, /^id=\d+$/);
  assert.match(await cat('kprobes/list'), / k {2}load\+0x0 {4}\[FTRACE\]\n/);
  assert.match(await cat('kprobe_events'), /^p:kprobes\/behind sum\+\d+ id=id\n$/);
});
