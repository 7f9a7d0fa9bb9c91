import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProbedProgram } from './support/probed-program.js';
import { Sandbox } from './support/program.js';

/** Takes a value each so many milliseconds. Whatever looks at one in a way that runs code of the program is printed. */
const takesEach = (milliseconds: number): string => `const seen = [];
const trap = new Proxy({}, { get: (_, name) => () => { seen.push('trap ' + name); throw new Error(name); } });
const revocable = Proxy.revocable({}, {});
revocable.revoke();
const detached = new Uint8Array([1, 2, 3, 4]);
structuredClone(detached.buffer, { transfer: [detached.buffer] });
const grumpy = { toString() { seen.push('toString'); throw new Error('no'); }, valueOf() { seen.push('valueOf'); throw new Error('no'); },
  get name() { seen.push('getter'); throw new Error('no'); }, [Symbol.toPrimitive]() { seen.push('toPrimitive'); throw new Error('no'); },
  toJSON() { seen.push('toJSON'); throw new Error('no'); } };
const deep = {};
let end = deep;
for (let i = 0; i < 5000; i++) end = end.next = {};
const values = {
  trap: new Proxy({}, trap), called: new Proxy(function () {}, trap), revoked: revocable.proxy, grumpy, nan: NaN, minus: -0,
  infinite: -Infinity, big: 123456789012345678901234567890n, symbol: Symbol('s'), detached, view: new DataView(new ArrayBuffer(4)),
  bytes: Buffer.from('text'), none: null, missing: undefined, bare: Object.create(null), deep, holes: [, 1], long: 'x'.repeat(1e6),
  words: 'a\\0b\\ud800', huge: 1e300, date: new Date(NaN), fails: Object.defineProperty(new Error('e'), 'stack', { get() { seen.push('stack'); } }),
};
function take(value) {
  const local = value;
  return typeof local;
}
const names = Object.keys(values);
let kinds = [];
setInterval(() => {
  kinds.push(take(values[names[kinds.length]]));
  if (kinds.length < names.length) return;
  console.log(...kinds, seen);
  kinds = [];
}, ${milliseconds});
`;

const COUNT = 22;
/** So many look different: the three Proxies do not. */
const DIFFERENT = 18;
const FORMS = [
  'NAME',
  'NAME:string',
  'NAME:u8 NAME:s64 NAME:x64',
  'NAME:u32[4] NAME:string[2]',
  'NAME:char NAME:symbol NAME:symstr',
  'NAME:b3@2/16',
  'NAME.name NAME->length:u64 NAME["0"]',
  'NAME.toString.name NAME.constructor.name:string',
  '+0(NAME):u32 +0(NAME):string +u1(NAME):u8',
  '+100000(NAME):u64 -1(NAME):u8 +2147483647(NAME)',
  '+0(+0(+0(NAME.next.next.next))):u8',
];

/**
 * In the middle there is a breakpoint, which goes when hits take too much of the thread's time, and a hit that waits for a core
 * counts for 25 ms at most. They may take a quarter of the time: after 100 ms nothing of it is left.
 */
for (const [where, probe, name, milliseconds] of [
  ['at the entry', 'p take', 'value', 5],
  ['at the return', 'r take', 'value', 5],
  ['in the middle', 'p take:2', 'local', 100],
] as const) {
  test(`${where} any value is fetched in any form, and none of the program's code runs`, async (t) => {
    const program = await ProbedProgram.start(new Sandbox(t), takesEach(milliseconds));
    const [before] = program.lines.keys();
    const events: string[] = [];
    for (const form of FORMS) {
      const event = await program.probe(`${probe} ${form.replaceAll('NAME', name)}`);
      assert.match(event, /^e\d+$/, `${form}: ${event}`);
      events.push(event);
    }
    await program.turns(2);
    for (const event of events) {
      await program.heard(event);
      const [hits, misses] = await program.counts(event);
      assert.ok(hits >= COUNT && misses === 0, `${event}: ${hits} hits, ${misses} misses`);
    }
    const shown = await program.heard(events[0]!, DIFFERENT);
    for (const text of ['NaN', '-0', '-Infinity', '123456789012345678901234567890n', 'null', 'undefined'])
      assert.ok(shown.includes(`${name}=${text}`), `${text} in ${shown.join('; ')}`);
    assert.deepEqual([...program.lines.keys()], [before]);
  });
}
