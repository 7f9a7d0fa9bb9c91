import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generated, hit, interpreted, SAMPLE, SampleInstance, type Update } from './testing/sample-hist.js';

/** Numbers that come again: the same seed gives the same. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const KEYS = [
  'number',
  'small.log2',
  'plain.buckets=10',
  'wide',
  'signed',
  'where.sym',
  'text',
  'comm',
  'stacktrace',
  'common_cpu',
  'common_pid.execname',
  'number+wide',
  'wide/3',
  'plain-signed',
  'common_timestamp.usecs',
];
const VALUES = ['wide', 'signed', 'small', 'number*plain', 'wide/number', '-(number)', 'common_timestamp', 'plain.hex'];
const REST = [
  '',
  ':x1=wide:onmax($x1).save(number,text)',
  ':x1=signed,y1=text:onchange($x1).save(comm,wide)',
  ':x1=number:onmax($x1).snapshot()',
  ':x1=text:onchange($x1).save(number)',
];
const WIDE = [0, 1, 5, 2 ** 32, 2 ** 53 - 1, 2n ** 63n, 2n ** 64n - 1n, 2n ** 60n + 3n];
const SIGNED = [0, -1, 7, -(2 ** 40), -(2n ** 63n), 2n ** 62n + 1n];
const TEXTS = ['', 'a', 'same', 'übung', 'a text that is longer than the others'];

test('generated code and the interpreter leave the same tables', () => {
  for (let seed = 1; seed <= 150; seed++) {
    const next = random(seed);
    const pick = <T>(list: readonly T[]): T => list[next(list.length)]!;
    const text = `keys=${pick(KEYS)}${next(2) === 1 ? `,${pick(KEYS)}` : ''}:vals=${pick(VALUES)},${pick(VALUES)}${pick(REST)}`;
    const instances = [new SampleInstance(), new SampleInstance()];
    let snapshots = 0;
    const updates: Update[] = [];
    for (const [i, make] of [interpreted, generated].entries()) {
      const instance = instances[i]!;
      try {
        instance.triggers.write(SAMPLE, text);
      } catch {
        continue;
      }
      const effects = { trace: () => () => {}, snapshot: () => void (snapshots += i === 0 ? 1 : -1) };
      updates.push(make(instance.triggers, instance.triggers.of(SAMPLE)[0]!, effects));
    }
    for (let i = 0; i < 60; i++) {
      const slots = {
        small: next(256) - 128,
        number: next(8) - 4,
        plain: next(5) * 1000000000,
        wide: pick(WIDE),
        signed: pick(SIGNED),
        where: pick([-0x7f000000, 0x1000]),
        comm: pick(TEXTS).slice(0, 15),
        text: pick(TEXTS),
      };
      const stack = Array.from({ length: next(20) }, (_, at) => -0x7f000000 + 64 * (at + next(2)));
      const event = hit(slots, { timestamp: next(5) * 1e12, cpu: next(3), comm: pick(TEXTS).slice(0, 15), stack });
      for (const update of updates) update(event);
    }
    assert.equal(instances[0]!.text(), instances[1]!.text(), text);
    assert.equal(snapshots, 0, text);
  }
});

test('a slot that is no number, or no text, counts as 0 and as an empty text', () => {
  for (const make of [interpreted, generated]) {
    const instance = new SampleInstance();
    const trigger = instance.add('keys=wide,text:vals=signed');
    const update = make(instance.triggers, trigger, { trace: () => () => {}, snapshot() {} });
    update(hit({ wide: 'x', text: 5, signed: undefined }));
    assert.deepEqual(instance.entries(), [
      `{ wide:          0, text: ${' '.repeat(50)} } hitcount:          1  signed:          0`,
    ]);
  }
});
