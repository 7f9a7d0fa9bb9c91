// A call under function_graph, recorded into a file, against the same recursion in C under `uftrace record`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLI, hasCommand, output } from './lib/child.mjs';
import { measurePairs, spread } from './lib/pairs.mjs';
import { cannot, verdict } from './lib/verdict.mjs';

const PAIRS = Number(process.env.PAIRS ?? 7);
/** A millisecond of calls: short enough that in some rounds nothing else had the processor. */
const N = '18';
const ROUNDS = '200';
const SOURCE = fileURLToPath(new URL('./fixtures/recursion.c', import.meta.url));
const SCRIPT = fileURLToPath(new URL('./fixtures/recursion.cjs', import.meta.url));
const NAME = 'function_graph, a call';

/** What the program itself measured: nanoseconds a call, the only line that is a number. */
const nanoseconds = (text) => Number(text.split('\n').find((line) => /^\d+(\.\d+)?$/.test(line)));

const missing = ['uftrace', 'gcc'].filter((name) => !hasCommand(name));
if (missing.length > 0) cannot(NAME, `${missing.join(' and ')} not installed`);
else {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
  try {
    const binary = join(folder, 'recursion');
    output('gcc', ['-O1', '-fno-optimize-sibling-calls', '-pg', '-o', binary, SOURCE]);
    const native = () =>
      nanoseconds(output('uftrace', ['record', '--no-libcall', '-d', join(folder, 'uftrace.data'), binary, N, ROUNDS]));
    const record = ['record', '-p', 'function_graph', '-l', 'recursion', '-o', join(folder, 't.dat'), '--'];
    const traced = () => nanoseconds(output(process.execPath, [CLI, ...record, process.execPath, SCRIPT, N, ROUNDS]));
    const plain = nanoseconds(output(process.execPath, [SCRIPT, N, ROUNDS]));
    const pairs = await measurePairs(traced, native, PAIRS);
    verdict({
      name: NAME,
      ratio: pairs.ratio,
      target: 'at most 1.00 of uftrace',
      detail: `${pairs.a.toFixed(0)} ns under fentry record, ${pairs.b.toFixed(0)} ns under uftrace record (${plain.toFixed(1)} ns untraced); ${spread(pairs, PAIRS)}`,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
