import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { PRELOAD, Sandbox, until } from './support/program.js';

const { parseOptCode } = (await import(pathToFileURL(resolve('bench/lib/opt-code.mjs')).href)) as {
  /** The instructions of each function in V8's listings. */
  parseOptCode(text: string): ReadonlyMap<string, readonly string[]>;
};

/** Obeys lines on stdin: prints V8's code of `hot`, or what the process holds. */
const PROGRAM = `
const { readdirSync, readlinkSync } = require('node:fs');
const { Session } = require('node:inspector');
// A debugger is on as long as its session is connected.
let sessions = 0;
for (const [name, change] of [['connect', 1], ['disconnect', -1]]) {
  const native = Session.prototype[name];
  Session.prototype[name] = function (...args) {
    sessions += change;
    return native.apply(this, args);
  };
}
function hot(a) {
  let sum = 0;
  for (let i = 0; i < a; i++) {
    sum += i * a;
  }
  return sum;
}
// A text with V8's own syntax would have no sites.
const natives = {
  prepare: new Function('f', '%PrepareFunctionForOptimization(f)'),
  optimize: new Function('f', '%OptimizeFunctionOnNextCall(f)'),
};
const fds = () => readdirSync('/proc/self/fd').flatMap((fd) => {
  try {
    return [readlinkSync('/proc/self/fd/' + fd).replace(/:\\[\\d+\\]$/, '')];
  } catch {
    return [];
  }
});
const OBEY = {
  optimize() {
    natives.prepare(hot);
    hot(10); hot(20);
    natives.optimize(hot);
    hot(10);
  },
  call() { hot(3); },
};
process.stdin.setEncoding('utf8').on('data', (text) => {
  for (const word of text.trim().split('\\n')) OBEY[word]?.();
  const held = {
    sessions,
    handles: process._getActiveHandles().map((one) => one.constructor.name).sort(),
    resources: process.getActiveResourcesInfo().sort(),
    fds: fds().sort(),
  };
  process.stderr.write('held ' + JSON.stringify(held) + '\\n');
});
process.stderr.write('ready\\n');
`;
const FLAGS = [
  '--allow-natives-syntax',
  '--print-opt-code',
  '--print-opt-code-filter=hot',
  '--no-concurrent-recompilation',
  '--no-maglev',
];

interface Held {
  /** Inspector sessions of the thread with itself. */
  readonly sessions: number;
  readonly handles: readonly string[];
  readonly resources: readonly string[];
  readonly fds: readonly string[];
}

/** A probe of each way, and what kprobes/list says of it. */
const PROBES = [
  { line: 'p:entry hot a', flags: '[FTRACE]' },
  { line: 'r:end hot $retval', flags: '[FTRACE]' },
  { line: 'p:turn hot:3 sum i', flags: '[OPTIMIZED]' },
  { line: 'p:test hot:3 sum fn=@hot', flags: '' },
];

const start = async (t: TestContext) => {
  const sandbox = new Sandbox(t);
  const file = sandbox.file('program.cjs', PROGRAM);
  const program: ChildProcess = sandbox.spawn([...FLAGS, '--import', PRELOAD, file], { FENTRY: 'statement_sites=app' });
  let stdout = '';
  let stderr = '';
  program.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  program.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await until(() => /^ready$/m.test(stderr), 'it is ready');
  await until(() => existsSync(join(sandbox.sockets, `${program.pid}.sock`)), 'the socket is there');
  const client = sandbox.client(program.pid!);
  await client.read('kprobe_events');
  /** Obeys, and says what the process holds then. */
  const ask = async (word: string): Promise<Held> => {
    stderr = '';
    program.stdin!.write(`${word}\n`);
    await until(() => /^held .*\n/m.test(stderr), 'it has answered');
    return JSON.parse(/^held (.*)$/m.exec(stderr)![1]!) as Held;
  };
  const code = async (): Promise<readonly string[] | undefined> => {
    stdout = '';
    await ask('optimize');
    await until(() => stdout === '' || /^Safepoints|^RelocInfo/m.test(stdout), 'the code is printed');
    return parseOptCode(stdout).get('hot');
  };
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
  return { ask, code, probe };
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
  const { ask, probe } = await start(t);
  /** The sockets that commands came by close a little later. */
  const held = async (): Promise<Held> => {
    let last = await ask('nothing');
    let same = 0;
    await until(async () => {
      const now = await ask('nothing');
      same = now.fds.length === last.fds.length ? same + 1 : 0;
      last = now;
      return same === 10;
    }, 'no more sockets are closed');
    return last;
  };
  const before = await held();
  for (const one of PROBES) {
    await probe(one);
    assert.deepEqual(await held(), before, one.line);
  }
});
