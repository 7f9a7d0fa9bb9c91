import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setPaused } from './hist-trigger.js';
import { listedTrigger } from './listing.js';
import { generated, hit, interpreted, NO_EFFECTS, SAMPLE, SampleInstance } from './testing/sample-hist.js';

const listing = ({ triggers }: SampleInstance): string[] => triggers.of(SAMPLE).map(listedTrigger);

test('a table grows with each hit, and is printed as the kernel prints it', () => {
  const instance = new SampleInstance();
  const update = generated(instance.triggers, instance.add('keys=number:vals=wide:sort=wide.descending'), NO_EFFECTS);
  for (const [number, wide] of [
    [1, 100],
    [2, 2n ** 63n],
    [1, 50],
    [-1, 0],
  ]) {
    update(hit({ number, wide }));
  }
  assert.equal(
    instance.text(),
    `# event histogram
#
# trigger info: hist:keys=number:vals=hitcount,wide:sort=wide.descending:size=2048 [active]
#

{ number:          2 } hitcount:          1  wide: 9223372036854775808
{ number:          1 } hitcount:          2  wide:        150
{ number: 18446744073709551615 } hitcount:          1  wide:          0

Totals:
    Hits: 4
    Entries: 3
    Dropped: 0
`,
  );
});

test('stacks, names of programs, symbols and times are keys', () => {
  const instance = new SampleInstance();
  const write = (text: string): void =>
    generated(instance.triggers, instance.add(text), NO_EFFECTS)(hit({ where: -0x7f000000 }, context));
  const context = { stack: [-0x7f000000, 0x1234], comm: 'node', timestamp: 1_234_500 };
  write('keys=stacktrace');
  write('keys=common_pid.execname');
  write('keys=where.sym');
  write('keys=where.sym-offset');
  write('keys=common_timestamp.usecs');
  write('keys=number,stacktrace');
  assert.deepEqual(instance.entries(), [
    '{ stacktrace:',
    '         at_ffffffff81000000+0x1/0x2',
    '         at_1234+0x1/0x2',
    '} hitcount:          1',
    '{ common_pid: node            [         7] } hitcount:          1',
    `{ where: [ffffffff81000000] at_ffffffff81000000${' '.repeat(26)} } hitcount:          1`,
    `{ where: [ffffffff81000000] at_ffffffff81000000+0x1/0x2${' '.repeat(28)} } hitcount:          1`,
    '{ common_timestamp:       1235 } hitcount:          1',
    '{ number:          1, stacktrace:',
    '         at_ffffffff81000000+0x1/0x2',
    '         at_1234+0x1/0x2',
    '} hitcount:          1',
  ]);
});

test('several texts of any length are keys, also of a snapshot', () => {
  for (const make of [interpreted, generated]) {
    const instance = new SampleInstance();
    instance.synthetic.write('copied char[] from; char[] to; char[] by; char[16] how; u64 bytes');
    const copied = instance.synthetic.find('copied')!.event;
    const write = (text: string): void => instance.triggers.write(copied, text);
    write('keys=from,to,by:vals=bytes:x1=bytes:onmax($x1).snapshot()');
    const update = make(instance.triggers, instance.triggers.of(copied)[0]!, NO_EFFECTS);
    const long = 'ü'.repeat(300);
    for (const [from, to, by, bytes] of [
      ['a', 'b', 'c', 1],
      ['a', 'bc', '', 2],
      ['ab', '', 'c', 3],
      ['a', 'b', 'c', 4],
      [long, long, long, 5],
      [long, `${long.slice(0, 127)}x`, long, 6],
    ]) {
      update(hit({ from, to, by, bytes }));
    }
    const cut = 'ü'.repeat(127);
    const pad = (text: string): string => text.padEnd(50);
    assert.deepEqual(
      instance
        .text(copied)
        .split('\n')
        .filter((line) => line.startsWith('{')),
      [
        `{ from: ${pad('a')}, to: ${pad('bc')}, by: ${pad('')} } hitcount:          1  bytes:          2`,
        `{ from: ${pad('ab')}, to: ${pad('')}, by: ${pad('c')} } hitcount:          1  bytes:          3`,
        `{ from: ${cut}, to: ${cut}, by: ${cut} } hitcount:          1  bytes:          5`,
        `{ from: ${cut}, to: ${cut}x, by: ${cut} } hitcount:          1  bytes:          6`,
        `{ from: ${pad('a')}, to: ${pad('b')}, by: ${pad('c')} } hitcount:          2  bytes:          5`,
      ],
    );
    assert.ok(
      instance.text(copied).includes(`event with key: { from: ${cut}, to: ${cut}x, by: ${cut} }\n`),
      'a key of three whole texts has room in the header',
    );
    write('keys=from,to,stacktrace');
    write('keys=from,stacktrace,how');
  }
});

test('nohitcount and hitcount.percent are those of Linux 6.3', () => {
  const instance = new SampleInstance();
  const update = generated(instance.triggers, instance.add('keys=number:vals=hitcount.percent,wide.graph:NOHC'), NO_EFFECTS);
  for (const number of [1, 2, 2, 2]) update(hit({ number }));
  assert.deepEqual(listing(instance), [
    'hist:keys=number:vals=hitcount.percent,wide.graph:sort=hitcount:size=2048:nohitcount [active]',
  ]);
  assert.deepEqual(instance.entries(), [
    `{ number:          1 }  hitcount (%):  25.00  wide: ${'######'.padEnd(20)}`,
    `{ number:          2 }  hitcount (%):  75.00  wide: ${'#'.repeat(20)}`,
  ]);
  assert.throws(() => instance.add('keys=number:nohitcount'), { errno: 'ENOENT' });
  assert.deepEqual(instance.errors, ["Non-hitcount value is required for 'nohitcount'"]);
});

test('a trigger is paused and continued by commands, and by other threads', () => {
  const instance = new SampleInstance();
  const trigger = instance.add('keys=number:pause');
  const update = generated(instance.triggers, trigger, NO_EFFECTS);
  const hits = (): string => /Hits: \d+/.exec(instance.text())![0];
  update(hit());
  assert.equal(hits(), 'Hits: 0');
  instance.triggers.write(SAMPLE, 'keys=number:cont');
  update(hit());
  setPaused(trigger.state, true);
  update(hit());
  assert.equal(hits(), 'Hits: 1');
  assert.match(listing(instance)[0]!, /\[paused\]$/);
  instance.triggers.pauseAll(SAMPLE, false);
  update(hit());
  assert.equal(hits(), 'Hits: 2');
  instance.triggers.write(SAMPLE, 'keys=number:clear');
  assert.equal(hits(), 'Hits: 0');
});

test('a full table counts what it drops', () => {
  const instance = new SampleInstance();
  const update = generated(instance.triggers, instance.add('keys=number:size=128'), NO_EFFECTS);
  for (let number = 0; number < 200; number++) update(hit({ number }));
  for (let number = 0; number < 200; number++) update(hit({ number }));
  assert.match(instance.text(), /Hits: 256\n {4}Entries: 128\n {4}Dropped: 144\n$/);
});

test('a full table with variables goes on from the start: its keys may never come back', () => {
  const instance = new SampleInstance();
  const update = generated(instance.triggers, instance.add('keys=number:ts0=common_timestamp:size=128'), NO_EFFECTS);
  for (let number = 0; number < 200; number++) update(hit({ number }));
  // The hit that found it full is dropped too.
  assert.match(instance.text(), /Hits: 71\n {4}Entries: 71\n {4}Dropped: 129\n$/);
});

test('the time between two events goes to a synthetic event', () => {
  const traced: unknown[][] = [];
  const effects = {
    trace:
      (event: string) =>
      (...values: unknown[]) =>
        traced.push([event, ...values]),
    snapshot() {},
  };
  const instance = new SampleInstance();
  instance.synthetic.write('latency u64 lat; int pid; char text[]');
  instance.synthetic.write('other int pid');
  const other = instance.synthetic.find('other')!.event;
  instance.triggers.write(other, 'keys=pid:ts0=common_timestamp.usecs');
  const waking = generated(instance.triggers, instance.triggers.of(other)[0]!, effects);
  const last = instance.add(
    'keys=number:lat=common_timestamp.usecs-$ts0:onmatch(synthetic.other).trace(latency,$lat,number,text)',
  );
  const woken = generated(instance.triggers, last, effects);

  woken(hit({ number: 3 }, { timestamp: 1_000_000 }));
  waking(hit({ pid: 3 }, { timestamp: 2_000_000 }));
  woken(hit({ number: 4 }, { timestamp: 3_000_000 }));
  woken(hit({ number: 3, text: 'who' }, { timestamp: 2_345_000 }));
  woken(hit({ number: 3 }, { timestamp: 3_000_000 }));
  assert.deepEqual(
    traced,
    [['latency', 345, 3, 'who']],
    'only where the keys are the same, and once: an expression takes the variable',
  );
  assert.match(instance.text(), /Hits: 1\n/);
  assert.throws(() => instance.synthetic.remove('latency'), { errno: 'EBUSY' });
  instance.triggers.removeAll(SAMPLE);
  instance.synthetic.remove('latency');
});

test('a variable takes the text of another event’s variable', () => {
  for (const make of [interpreted, generated]) {
    const traced: unknown[][] = [];
    const effects = {
      ...NO_EFFECTS,
      trace:
        () =>
        (...values: unknown[]) =>
          void traced.push(values),
    };
    const instance = new SampleInstance();
    instance.synthetic.write('woken int pid; char comm[16]; char sum[16]');
    instance.synthetic.write('other int pid; char comm[16]');
    const other = instance.synthetic.find('other')!.event;
    instance.triggers.write(other, 'keys=pid:from=comm');
    const waking = make(instance.triggers, instance.triggers.of(other)[0]!, effects);
    const last = instance.add('keys=number:by=$from,sum=$from+1:onmatch(synthetic.other).trace(woken,number,$by,$sum)');
    const woken = make(instance.triggers, last, effects);
    waking(hit({ pid: 3, comm: 'waker' }));
    woken(hit({ number: 3, comm: 'sleeper' }));
    assert.deepEqual(traced, [[3, 'waker', 1]], 'a text counts as 0 in an expression');
  }
});

test('triggers with one name share a table', () => {
  const instance = new SampleInstance();
  instance.synthetic.write('other int number');
  const other = instance.synthetic.find('other')!.event;
  const first = generated(instance.triggers, instance.add('name=both:keys=stacktrace'), NO_EFFECTS);
  instance.triggers.write(other, 'name=both:keys=stacktrace');
  const second = generated(instance.triggers, instance.triggers.of(other)[0]!, NO_EFFECTS);
  first(hit({}, { stack: [1] }));
  second(hit({}, { stack: [1] }));
  assert.match(instance.text(), /Hits: 2\n {4}Entries: 1\n/);
});

test('a snapshot is taken for each new maximum of the whole table', () => {
  let snapshots = 0;
  const effects = { trace: () => () => {}, snapshot: () => void snapshots++ };
  const instance = new SampleInstance();
  const update = generated(instance.triggers, instance.add('keys=number:x1=wide:onmax($x1).snapshot()'), effects);
  for (const [number, wide] of [
    [1, 10],
    [2, 5],
    [2, 7],
    [2, 11],
    [1, 11],
  ]) {
    update(hit({ number, wide }));
  }
  assert.equal(snapshots, 2);
  assert.match(
    instance.text(),
    /Snapshot taken \(see tracing\/snapshot\). {2}Details:\n\ttriggering value { onmax\(\$x1\) }: {9}11\ttriggered by event with key: { number: {10}2 }\n/,
  );
  assert.throws(() => instance.add('keys=plain:y1=wide:onmax($y1).snapshot()'), { errno: 'EBUSY' });
});
