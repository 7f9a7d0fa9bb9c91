import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { test } from 'node:test';
import { PlacingRefused } from '../machine-code/own-memory.js';
import type { WasmApi } from '../machine-code/wasm-function.js';
import { COUNTER_CODES, NOT_READ } from './counter-code.js';
import { placeCounter } from './place-counter.js';

const { WebAssembly } = globalThis as unknown as { WebAssembly: WasmApi };
const machine = COUNTER_CODES[process.arch]!;

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

/** Runs a placement in another process, after something else; prints the result, or why not. */
function placed(options: readonly string[], before = ''): string {
  const code = `${before}; import(${JSON.stringify(new URL('./place-counter.js', import.meta.url).href)}).then(({ placeCounter }) => {
    try { console.log(placeCounter(globalThis.WebAssembly).read() > 0) } catch (error) { console.log(error.message) }
  })`;
  const { stdout, stderr } = spawnSync(process.execPath, [...options, '-e', code], { encoding: 'utf8' });
  return stdout.trim() || stderr;
}

test('whatever V8 compiles with, it is found, or the reason is said why not', { skip }, () => {
  for (const option of ['--no-liftoff', '--no-wasm-lazy-compilation', '--no-wasm-dynamic-tiering']) {
    assert.equal(placed([option]), 'true', option);
  }
  const debugged = "const session = new inspector.Session(); session.connect(); session.post('Debugger.enable')";
  assert.equal(placed([], debugged), 'true', 'the code is made for a debugger');
  assert.equal(placed(['--jitless']).split('\n').at(-1), 'the process has no WebAssembly');
  assert.throws(() => placeCounter(undefined), PlacingRefused);
  const broken = { ...WebAssembly, Module: class {} } as unknown as WasmApi;
  assert.throws(() => placeCounter(broken), /^Error: V8 does not compile WebAssembly: /);
});
