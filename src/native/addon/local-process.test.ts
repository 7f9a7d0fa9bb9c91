import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, ftruncateSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ARG0, ARG1, ARG4, ARG5, indexed, VALUE } from '../machine/operands.js';
import { LOCAL_MACHINE } from '../machines/machines.js';
import { isKnownMachine, processMachine } from '../machines/process-machine.js';
import { LocalProcess, sharedPages } from './local-process.js';

const skip = isKnownMachine ? false : 'there is no machine code for this processor';

const folder = mkdtempSync(join(tmpdir(), 'fentry-local-process-'));
after(() => rmSync(folder, { recursive: true }));

test('machine code is called with arguments and its result comes back', { skip }, () => {
  const local = new LocalProcess();
  const memory = local.mapAnonymous(4096);
  const code = LOCAL_MACHINE.assembler(memory.address);
  code.lea(VALUE, indexed(ARG0, ARG1, 2));
  code.sub(VALUE, ARG4);
  code.add(VALUE, ARG5);
  code.returnValue();
  const file = openSync('/proc/self/mem', 'r+');
  writeSync(file, code.finish(), 0, undefined, memory.address);
  closeSync(file);
  assert.equal(local.call(memory.address, 1, 10, 99, 99, 100, 1000), 1n + 20n - 100n + 1000n);
  assert.equal(local.call(memory.address, 0, 0, 0, 0, 1), -1n, 'arguments that are not given are 0');
  local.unmap(memory);
});

test('a file is mapped over a SharedArrayBuffer: what others write into it is seen, and the reverse', { skip }, () => {
  const local = new LocalProcess();
  const path = join(folder, 'shared');
  const fd = openSync(path, 'w+');
  ftruncateSync(fd, 3 * 65_536);
  const views = [0, 1].map(() => new Int32Array(sharedPages(65_536)));
  for (const view of views) local.mapShared(fd, 65_536, view);
  writeSync(fd, Uint8Array.of(1, 2, 0, 0), 0, 4, 65_536 + 8);
  assert.equal(Atomics.load(views[0]!, 2), 0x201);
  Atomics.store(views[0]!, 5, 77);
  assert.equal(Atomics.load(views[1]!, 5), 77);
  assert.equal(readFileSync(path).readInt32LE(65_536 + 20), 77);
  closeSync(fd);
});

test('a refused system call throws its errno', { skip }, () => {
  const local = new LocalProcess();
  const [EBADF] = [9];
  assert.throws(() => local.mapShared(999_999, 0, new Int32Array(sharedPages(1))), new RegExp(`errno ${EBADF}`));
});

test('both clocks are read at one moment, between readings of each', { skip }, () => {
  const local = new LocalProcess();
  const before = { tsc: local.rdtsc(), ns: Number(process.hrtime.bigint()) };
  const { tsc, ns } = local.readClocks();
  const after = { tsc: local.rdtsc(), ns: Number(process.hrtime.bigint()) };
  assert.ok(before.tsc < tsc && tsc < after.tsc);
  assert.ok(before.ns <= ns && ns <= after.ns, `${before.ns} <= ${ns} <= ${after.ns}`);
});

test('the time stamp counter grows', { skip }, () => {
  const local = new LocalProcess();
  const first = local.rdtsc();
  assert.ok(local.rdtsc() > first);
});

const module = new URL('./local-process.js', import.meta.url);
const noModule = existsSync(module) ? false : 'the module is part of this file (scripts/arm64.mjs)';

test('workers load it too', { skip: skip || noModule }, () => {
  const script = `
    const { Worker, isMainThread } = require('node:worker_threads');
    import(${JSON.stringify(module.href)}).then(({ LocalProcess }) => {
      const local = new LocalProcess();
      if (isMainThread) new Worker(__filename).on('exit', (code) => console.log('worker ended with', code, typeof local.rdtsc()));
    });`;
  const file = join(folder, 'worker.cjs');
  const fd = openSync(file, 'w');
  writeSync(fd, script);
  closeSync(fd);
  assert.equal(execFileSync(process.execPath, [file], { encoding: 'utf8' }), 'worker ended with 0 bigint\n');
});

test('the same file each time, and small', { skip }, () => {
  assert.deepEqual(processMachine.addonFile(), processMachine.addonFile());
  assert.ok(processMachine.addonFile().length < 12_288);
});
