import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

/** What the check says of a tree of sources, path -> text, and whether it passes. */
function check(sources: Record<string, string>): { lines: string[]; passes: boolean } {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-layers-'));
  try {
    for (const [path, text] of Object.entries(sources)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const { status, stdout } = spawnSync(process.execPath, ['scripts/check-layers.mjs', folder], { encoding: 'utf8' });
    return { lines: stdout.trim().split('\n').slice(0, -1), passes: status === 0 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a layer imports what lies below it', () => {
  const sources = { 'base/a.ts': '', 'ring-buffer/b.ts': "import { a } from '../base/a.js';\nimport { b } from './c.js';" };
  assert.deepEqual(check(sources), { lines: [], passes: true });
});

test('an import upwards is named with its line, however it is written', () => {
  const upwards = [
    "\n\nimport {\n  a,\n} from '../cli/main.js';",
    "\n\n\n\nexport * from '../cli/main.js';",
    "\n\n\n\nawait import('../cli/main.js');",
    "\n\n\n\nimport '../cli/main.js';",
    "\n\n\n\nimport type { A } from '../cli/main.js';",
  ];
  for (const text of upwards) {
    const { lines, passes } = check({ 'base/a.ts': text });
    assert.deepEqual(lines, ["src/base/a.ts:5: '../cli/main.js': base/ may not import cli/main.ts"]);
    assert.equal(passes, false);
  }
});

test('what a unit test imports from the layers above counts too', () => {
  assert.equal(check({ 'base/a.test.ts': "import '../cli/main.js';" }).passes, false);
});

test('a package is imported only where it belongs', () => {
  assert.equal(check({ 'v8/instrument/parse.ts': "import { parse } from 'acorn';" }).passes, true);
  assert.equal(check({ 'ftrace/plan.ts': "import { parse } from 'acorn';" }).passes, false);
});

test('a room of control/ imports no room above it, whatever of it', () => {
  const room = { 'control/tracefs/a.ts': "import type { B } from '../process/b.js';", 'control/process/b.ts': '' };
  assert.deepEqual(check(room), {
    lines: ['src/control/: tracefs -> process goes upward: src/control/tracefs/a.ts imports src/control/process/b.ts'],
    passes: false,
  });
  assert.equal(
    check({ 'control/process/b.ts': "import { a } from '../tracefs/a.js';", 'control/tracefs/a.ts': '' }).passes,
    true,
  );
});

test('a folder of no layer is refused', () => {
  assert.equal(check({ 'misc/a.ts': "import '../base/a.js';" }).passes, false);
});

test('a circle of imports is named, types and tests included', () => {
  const around = { 'base/a.ts': "import { b } from './b.js';", 'base/b.ts': "import type { A } from './a.js';" };
  assert.deepEqual(check(around), {
    lines: ['src/base/a.ts: a circle of imports: base/a.ts -> base/b.ts -> base/a.ts'],
    passes: false,
  });
  assert.equal(check({ ...around, 'base/b.ts': "import { c } from './c.js';", 'base/c.ts': '' }).passes, true);
});

test('two types of one name are refused, but for those of a CPU', () => {
  const twice = { 'base/a.ts': 'export interface Frame {}', 'events/b.ts': 'export class Frame {}' };
  assert.deepEqual(check(twice), {
    lines: ['src/events/b.ts: src/base/a.ts exports a type Frame, too: give one of them another name'],
    passes: false,
  });
  const machines = {
    'native/machines/arm64/a.ts': 'export class Assembler {}',
    'native/machine/b.ts': 'export class Assembler {}',
  };
  assert.equal(check(machines).passes, true);
});

test('what is of one CPU is reached by the tables of CPUs, but for tests', () => {
  const machine = { 'native/machines/arm64/a.ts': '', 'native/machines/machines.ts': "import { a } from './arm64/a.js';" };
  const text = "import { a } from '../machines/arm64/a.js';";
  assert.deepEqual(check({ ...machine, 'native/code/b.ts': text }), {
    lines: [
      "src/native/code/b.ts:1: '../machines/arm64/a.js': is of one machine: only native/machines/ imports that, in its tables",
    ],
    passes: false,
  });
  const table = "import { MACHINES } from '../machines/machines.js';";
  assert.equal(check({ ...machine, 'native/code/b.ts': table, 'native/code/b.test.ts': text }).passes, true);
});
