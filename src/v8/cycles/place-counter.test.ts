import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PlacingRefused } from '../machine-code/own-memory.js';
import type { WasmApi } from '../machine-code/wasm-function.js';
import { COUNTER_CODES, NOT_READ } from './counter-code.js';
import { placeCounter } from './place-counter.js';

const { WebAssembly } = globalThis as unknown as { WebAssembly: WasmApi };
const machine = COUNTER_CODES[process.arch]!;

/** Options by which the function is compiled by TurboFan, by Liftoff, and before it is called. */
const COMPILED_ONCE = ['--no-liftoff', '--liftoff-only', '--no-wasm-lazy-compilation'];

const skip = process.platform === 'linux' && machine !== undefined ? false : 'there is no code for this machine';

/** What the mapping has in memory that an address is in. */
function mappingOf(address: number): { readonly from: number; readonly bytes: Buffer } {
  const ranges = readFileSync('/proc/self/maps', 'latin1')
    .split('\n')
    .map((line) => line.split(/[- ]/, 2).map((hex) => Number.parseInt(hex, 16)));
  const [from = 0, to = 0] = ranges.find(([begin = 0, end = 0]) => begin <= address && address < end) ?? [];
  const fd = openSync('/proc/self/mem', 'r');
  const bytes = Buffer.alloc(to - from);
  readSync(fd, bytes, 0, bytes.length, from);
  closeSync(fd);
  return { from, bytes };
}

test('the body of the function is replaced, and nothing around it', { skip }, () => {
  const first = placeCounter(WebAssembly);
  // The next one is put at the same place of a mapping of its own: what V8 has compiled is seen before it is replaced.
  const { from, bytes } = mappingOf(first.address);
  const at = first.address - from;
  const code = machine;
  assert.deepEqual(bytes.subarray(at, at + code.length), Buffer.from(code));

  const compiled: Buffer[] = [];
  class Instance extends (WebAssembly.Instance as new (module: object) => { readonly exports: { readonly read: () => number } }) {
    constructor(module: object) {
      super(module);
      assert.equal(this.exports.read(), NOT_READ);
      const maps = readFileSync('/proc/self/maps', 'latin1').matchAll(/^([0-9a-f]+)-([0-9a-f]+) ..x\S* \S+ \S+ 0 +$/gm);
      for (const [, start = '', end = ''] of maps) {
        if (Number.parseInt(end, 16) - Number.parseInt(start, 16) < 1 << 22)
          compiled.push(mappingOf(Number.parseInt(start, 16)).bytes);
      }
    }
  }
  const second = placeCounter({ Module: WebAssembly.Module, Instance: Instance as unknown as WasmApi['Instance'] });
  const after = mappingOf(second.address);
  const place = second.address - after.from;
  const restored = (before: Buffer): boolean => {
    const now = Buffer.from(after.bytes.subarray(0, before.length));
    before.copy(now, place, place, place + code.length);
    return now.equals(before);
  };
  assert.ok(compiled.some(restored), 'but for the code, the memory is what V8 has made');
  assert.notEqual(first.address, second.address);
});

test('it counts, in optimized code too, and other threads take it from the module', { skip }, () => {
  const { read, module } = placeCounter(WebAssembly);
  const copy = new WebAssembly.Instance(module).exports.read as () => number;
  let last = 0;
  for (let i = 0; i < 100_000; i++) {
    const count = i & 1 ? read() : copy();
    assert.ok(count >= last);
    last = count;
  }
});

test('while V8 compiles it anew, a read is no count rather than a wrong one', { skip }, () => {
  const { read } = placeCounter(WebAssembly);
  let last = 0;
  for (const end = performance.now() + 200; performance.now() < end; ) {
    const count = read();
    assert.ok(count >= last || count === NOT_READ, `${last}, ${count}`);
    last = Math.max(last, count);
  }
  assert.ok(last > 0);
});

/** Runs tests above in another process, after something else; returns what they print. */
function run(
  tests: string,
  options: readonly string[],
  before = '',
): { readonly status: number | null; readonly stdout: string } {
  const imports = before === '' ? [] : ['--import', `data:text/javascript,${encodeURIComponent(before)}`];
  const file = ['--test-reporter=tap', `--test-name-pattern=${tests}`, fileURLToPath(import.meta.url)];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, [...options, ...imports, ...file], { encoding: 'utf8', env });
}

const ALL = 'the body|it counts';
const ENABLES_DEBUGGER =
  "import { Session } from 'node:inspector'; const one = new Session(); one.connect(); one.post('Debugger.enable')";

test('whatever V8 compiles with, it is found, or the reason is said why not', { skip }, () => {
  const assertRuns = (tests: string, options: readonly string[], before?: string): void => {
    const { status, stdout } = run(tests, options, before);
    assert.equal(status, 0, `${options} ${before}: ${stdout}`);
    assert.match(stdout, new RegExp(`^# pass ${tests.split('|').length}$`, 'm'));
  };
  for (const option of COMPILED_ONCE) assertRuns(ALL, [option]);
  assertRuns(ALL, [], ENABLES_DEBUGGER);
  // TurboFan's code takes the place of Liftoff's as soon as it is there.
  assertRuns('while V8', ['--no-wasm-dynamic-tiering']);
  assert.match(run('it counts', ['--jitless']).stdout, /error: 'the process has no WebAssembly'/);
  assert.throws(() => placeCounter(undefined), PlacingRefused);
  const broken = { ...WebAssembly, Module: class {} } as unknown as WasmApi;
  assert.throws(() => placeCounter(broken), /^Error: V8 does not compile WebAssembly: /);
});
