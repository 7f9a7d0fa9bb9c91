import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Held } from './support/held.js';
import { startWatched } from './support/watched-program.js';

/** A probe of each way, and what kprobes/list says of it. */
const PROBES = [
  { line: 'p:entry hot a', flags: '[FTRACE]' },
  { line: 'r:end hot $retval', flags: '[FTRACE]' },
  { line: 'p:turn hot:3 sum i', flags: '[OPTIMIZED]' },
  { line: 'p:test hot:3 sum fn=@hot', flags: '' },
];

const start = async (t: TestContext) => {
  const watched = await startWatched(t);
  const { client, ask } = watched;
  /** Puts a probe in, has it hit, and removes it; says what the process held meanwhile. */
  const probe = async ({ line, flags }: (typeof PROBES)[number]): Promise<Held> => {
    await client.write('kprobe_events', line);
    const name = /:(\w+)/.exec(line)![1]!;
    await client.write(`events/kprobes/${name}/enable`, '1');
    assert.equal(/(?<=\+0x[0-9a-f]+ {4}).*/.exec(await client.read('kprobes/list'))![0], flags, line);
    const held = await ask('call');
    const [, hits, missed] = /(\d+) +(\d+)\n/.exec(await client.read('kprobe_profile'))!;
    assert.ok(Number(hits) > 0 && missed === '0', `${line}: ${hits} hits`);
    await client.write(`events/kprobes/${name}/enable`, '0');
    await client.write('kprobe_events', '');
    return held;
  };
  return { ...watched, probe };
};

test('when the last probe is gone V8 makes the same machine code as before', async (t) => {
  const { code, probe } = await start(t);
  const before = await code();
  if (before === undefined) return t.skip('this Node prints no optimized code');
  for (const one of PROBES) {
    await probe(one);
    assert.deepEqual(await code(), before, one.line);
  }
});

test('a debugger is on only while a probe is a breakpoint', async (t) => {
  const { ask, probe } = await start(t);
  assert.equal((await ask('nothing')).sessions, 0);
  for (const one of PROBES) {
    assert.equal((await probe(one)).sessions, one.flags === '' ? 1 : 0, one.line);
    assert.equal((await ask('nothing')).sessions, 0, one.line);
  }
});

test('when the last probe is gone the process holds what it held before', async (t) => {
  const { held, probe } = await start(t);
  const before = await held();
  for (const one of PROBES) {
    await probe(one);
    assert.deepEqual(await held(), before, one.line);
  }
});
