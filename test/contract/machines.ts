import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import type { TraceClient } from '../../src/client/trace-client.js';
import { Sandbox, until } from '../e2e/support/program.js';
import type { Program } from './simulated/simulated-text.js';

const SIMULATED = resolve('build/test/contract/simulated/main.js');

/** A process that runs programs, as the contract's tests see every port. */
export interface Machine {
  readonly pid: number;
  readonly files: TraceClient;
  readonly sandbox: Sandbox;
  /** Loads a program, whose functions can be called from then on. */
  load(program: Program, file: string): Promise<void>;
  /** Calls a function, and returns when it has returned. */
  call(name: string): Promise<void>;
}

/** Sends a line to a process and waits until it has done what it says. */
function teller(child: ChildProcess): (line: string) => Promise<void> {
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  return async (line) => {
    output = '';
    child.stdin?.write(`${line}\n`);
    await until(() => output === 'done\n', `the process has done ${line}`);
  };
}

/** A process that is a simulated machine. */
export async function simulated(t: TestContext, sandbox = new Sandbox(t)): Promise<Machine> {
  const child = sandbox.spawn(['--enable-source-maps', SIMULATED]);
  const pid = child.pid!;
  await until(() => existsSync(join(sandbox.sockets, `${pid}.sock`)), 'the socket is there');
  const tell = teller(child);
  return {
    pid,
    sandbox,
    files: sandbox.client(pid),
    load: (program, file) => tell(`load ${JSON.stringify({ program, file })}`),
    call: (name) => tell(`call ${name}`),
  };
}

/** Takes `load FILE` and `call NAME`, a line each, and says when it is done. */
const DRIVER = `
const { createInterface } = require('node:readline');
createInterface({ input: process.stdin }).on('line', (line) => {
  const [verb, word] = line.split(' ');
  if (verb === 'load') Object.assign(globalThis, require(word));
  else globalThis[word]();
  process.stdout.write('done\\n');
});
`;

function sourceOf(program: Program): string {
  const functions = Object.entries(program).map(
    ([name, calls]) => `function ${name}() { ${calls.map((one) => `${one}();`).join(' ')} }`,
  );
  return `${functions.join('\n')}\nmodule.exports = { ${Object.keys(program).join(', ')} };\n`;
}

/** A Node process. */
export async function javaScript(t: TestContext): Promise<Machine> {
  const sandbox = new Sandbox(t);
  const child = await sandbox.start(DRIVER);
  const tell = teller(child);
  return {
    pid: child.pid,
    sandbox,
    files: sandbox.client(child.pid),
    load: (program, file) => tell(`load ${sandbox.file(`${file}.cjs`, sourceOf(program))}`),
    call: (name) => tell(`call ${name}`),
  };
}
