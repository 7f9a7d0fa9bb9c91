import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProbedProgram } from './support/probed-program.js';
import { Sandbox } from './support/program.js';

const PROGRAM = `const vm = require('node:vm');
async function load(id) {
  const early = id + 1;
  const found = await Promise.resolve({ id });
  const label = 'item ' + found.id;
  return label;
}
function* walk(n) {
  for (let i = 0; i < n; i++) {
    const got = yield i;
    note(got);
  }
  return 'walked';
}
async function* stream(n) {
  for (let i = 0; i < n; i++) {
    await null;
    yield i * 2;
  }
}
class Shelf {
  size = limit(3);
  #hidden = limit(5);
  static { Shelf.made = limit(1); }
  constructor(name) {
    this.name = name;
    this.count = 0;
  }
  grow(by = limit(4), ...rest) { this.size += by; return this.size + rest.length; }
  get hidden() { return this.#hidden; }
  set hidden(value) { this.#hidden = value; }
  static of({ name, tags: [first, ...others] = [] }, last = name + first) {
    return [name, first, others, last];
  }
}
class Top extends Shelf {
  constructor(name) {
    const self = () => this;
    note(name);
    super(name);
    this.level = 1;
    self().top = true;
  }
}
class Plain extends Shelf {}
const double = (n) => n * 2;
const later = async (n) => limit(await n);
const nested = (a) => (b) => a + b;
function limit(n) {
  return n;
}
function note(x) {
  return x;
}
function forOf(list) {
  let sum = 0;
  for (const { a, b = 2 } of list) {
    sum += a + b;
  }
  outer: while (true) { do { break outer; } while (true); }
  return sum;
}
function caught(f) {
  try { return f(); } catch ({ message }) {
    return message;
  } finally { note('done'); }
}
const made = new Function('a', 'return made2(a); function made2(b) { return b; }');
const evaluated = eval('(function evaluated(a) { return a; })');
const scripted = vm.runInThisContext('(function scripted(a) { return a; })', 'scripted.js');
async function work() {
  const out = [await load(1), [...walk(2)].join()];
  for await (const s of stream(2)) out.push(s);
  const shelf = new Shelf('a');
  out.push(shelf.grow(), shelf.grow(1, 2, 3), shelf.hidden, (shelf.hidden = 9), Shelf.of({ name: 'n', tags: [1, 2] }));
  out.push(new Top('t'), new Plain('p'), double(2), await later(3), nested(1)(2), forOf([{ a: 1 }, { a: 2, b: 3 }]));
  out.push(caught(() => { throw new Error('m'); }), made(1), evaluated(1), scripted(1));
  return JSON.stringify(out);
}
setInterval(() => work().then(console.log, (error) => console.log('broken', error.stack)), 300);
`;

/** What the records of a probe say, each text once. */
const HEARD: readonly (readonly [probe: string, ...texts: string[]])[] = [
  ['p load id', 'id=1'],
  ['r load $retval', 'arg1="item 1"'],
  ['p load:2 id early', 'id=1 early=2'],
  ['p load:3 id early found', 'id=1 early=2 found={id: 1}'],
  ['p walk n', 'n=2'],
  ['r walk $retval', 'arg1="walked"'],
  ['p walk:3 i n', 'i=0 n=2', 'i=1 n=2'],
  ['r stream $retval', 'arg1=undefined'],
  ['p stream:3 i', 'i=0', 'i=1'],
  ['p Shelf.constructor name', 'name="a"', 'name="t"', 'name="p"'],
  ['p Shelf.constructor:1 this', ...['Shelf{size: 3}', 'Top{size: 3}', 'Plain{size: 3}'].map((text) => `arg1=${text}`)],
  ['r Shelf.constructor this.name', 'name="a"', 'name="t"', 'name="p"'],
  ['p Shelf.grow by rest this.name', 'by=4 rest=[] name="a"', 'by=1 rest=[2, 3] name="a"'],
  ['p Shelf.grow $arg*', 'by=4 rest=[]', 'by=1 rest=[2, 3]'],
  ['r Shelf.grow $retval by', 'arg1=7 by=4', 'arg1=10 by=1'],
  ['p Shelf.get.hidden this.name', 'name="a"'],
  ['r Shelf.set.hidden value', 'value=9'],
  ['p Shelf.of name first others last', 'name="n" first=1 others=[2] last="n1"'],
  ['p Shelf.of:1 last', 'last="n1"'],
  ['p Top.constructor name this', 'name="t" arg2=(fault)'],
  ['p Top.constructor:2 name', 'name="t"'],
  ['p Top.constructor:4 this.name', 'name="t"'],
  ['p double n this', 'n=2 arg2=(fault)'],
  ['r double $retval', 'arg1=4'],
  ['p later n', 'n=3'],
  ['r later $retval', 'arg1=3'],
  ['p forOf:3 a b sum', 'a=1 b=2 sum=0', 'a=2 b=3 sum=3'],
  ['p forOf:5 sum', 'sum=8'],
  ['p caught:2 message', 'message="m"'],
  ['r caught $retval', 'arg1="m"'],
  ['p program.cjs:28 by', 'by=(fault)'],
  ['p program.cjs:46 n', 'n=2'],
];

const CLASS_LINES = 'Probe point is not an instruction boundary: V8 stops on line 20 and line 26';
/** Places that are refused, with the reason. */
const REFUSED: readonly (readonly [probe: string, reason: string])[] = [
  ['p made2', 'Invalid probed address or symbol'],
  ['p evaluated', 'Invalid probed address or symbol'],
  ['p scripted', 'Invalid probed address or symbol'],
  ['p Plain.constructor', 'Invalid probed address or symbol'],
  ['r load:2', 'Retprobe address must be an function entry'],
  ['p load:9', 'Probe point is not an instruction boundary: V8 stops on line'],
];

for (const parameters of ['', 'statement_sites=app']) {
  test(`probes stand in every kind of function and see its values, and the program does the same${parameters && `; ${parameters}`}`, async (t) => {
    const program = await ProbedProgram.start(new Sandbox(t), PROGRAM, { parameters });
    const before = [...program.lines.keys()];
    const events: (readonly [event: string, probe: string, texts: readonly string[]])[] = [];
    for (const [probe, ...texts] of HEARD) events.push([await program.probe(probe), probe, texts]);
    for (const [event, probe, texts] of events) {
      assert.deepEqual([probe, ...(await program.heard(event, texts.length))].sort(), [probe, ...texts].sort());
    }
    for (const [probe, reason] of REFUSED) {
      const answer = await program.probe(probe);
      assert.ok(answer.startsWith(`refused: trace_kprobe: ${reason}`), `${probe}: ${answer}`);
    }
    // V8 before 13 has defects there.
    const field = await program.probe('p program.cjs:22 this');
    if (Number.parseInt(process.versions.v8, 10) < 13) assert.equal(field, `refused: trace_kprobe: ${CLASS_LINES}`);
    else assert.deepEqual([...(await program.heard(field, 3))].sort(), ['arg1=Plain{}', 'arg1=Shelf{}', 'arg1=Top{}']);
    await program.turns(3);
    assert.deepEqual([[...program.lines.keys()], await program.files.read('error_log')].flat().slice(0, -1), before);
  });
}
