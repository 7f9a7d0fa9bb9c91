import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noCompiler } from '../testing/programs.js';
import { compileTraced, graphOf, runTraced } from './testing/traced-program.js';

const skip = noCompiler;

const NOPS = ['-O1', '-fpatchable-function-entry=5'];

const SMALL = String.raw`
#include <stdio.h>
__attribute__((noinline)) int leaf(int x) { __asm__ volatile(""); return x + 1; }
__attribute__((noinline)) int branch(int x) { int y = leaf(x); __asm__ volatile(""); return leaf(y); }
int main(void) { printf("%d\n", branch(40)); return 0; }
`;

test('function: each call with its caller', { skip }, (t) => {
  const program = compileTraced(t, SMALL, NOPS);
  const run = runTraced(program, { tracer: 'function' });
  assert.equal(run.output, '42\n');
  assert.deepEqual(
    run.records.map((records) => records.map(({ name }) => name)),
    [['main', 'branch', 'leaf', 'leaf']],
  );
  const [, , one, other] = run.records[0]!;
  const branch = program.functions.find(({ name }) => name === 'branch')!;
  for (const { parent } of [one!, other!]) {
    assert.ok(parent > program.base + branch.start && parent < program.base + branch.end, 'the caller is branch');
  }
  assert.ok(one!.parent < other!.parent);
});

test('function_graph: each entry has its exit', { skip }, (t) => {
  const program = compileTraced(t, SMALL, NOPS);
  const run = runTraced(program, { tracer: 'function_graph' });
  assert.equal(run.output, '42\n');
  const calls = ['main(', '  branch(', '    leaf(', '    )leaf', '    leaf(', '    )leaf', '  )branch', ')main'];
  assert.deepEqual(run.records.map(graphOf), [calls]);
  assert.equal(run.open, 0);
});
