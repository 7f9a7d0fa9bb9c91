import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { HELD, type Held } from './held.js';
import { PRELOAD, Sandbox, until } from './program.js';

const { parseOptCode } = (await import(pathToFileURL(resolve('bench/lib/opt-code.mjs')).href)) as {
  /** The instructions of each function in V8's listings. */
  parseOptCode(text: string): ReadonlyMap<string, readonly string[]>;
};

/** Obeys lines on stdin: prints V8's code of `hot`, or what the process holds. */
const PROGRAM = `
${HELD}function hot(a) {
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
  process.stderr.write('held ' + JSON.stringify(held()) + '\\n');
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

/** Starts a program whose function `hot` is watched. */
export const startWatched = async (t: TestContext) => {
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
  return { sandbox, client, ask, code, held };
};
