import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandWords } from '../verbs/completion.js';
import { VERBS } from '../verbs.js';
import { candidates, type ValueSource } from './candidates.js';

/** Values that tell what was asked. */
const SOURCE: ValueSource = {
  async values(_verb, option, _typed, pid) {
    const words: Readonly<Record<string, readonly string[]>> = {
      tracer: ['function_graph', 'function', 'nop'],
      function: ['handle', 'handleAll', ':mod:express'],
      line: ['handle'],
      del: ['shop:order', 'probe:sum'],
      program: ['kprobe:', 'kprobe:handle'],
      file: ['trace', 'trace_pipe', 'events/'],
      list: ['kernel.function("handle")', 'kernel.trace("'],
      pid: ['4711', '4712'],
      shell: ['bash', 'zsh'],
      clock: [`of-${pid}`],
    };
    return (words[option] ?? []).map((word) => ({ word, about: '' }));
  },
};

const complete = async (line: string): Promise<readonly string[]> =>
  (await candidates(commandWords(line).slice(1), VERBS, SOURCE)).map(({ word }) => word);

const CASES: readonly (readonly [line: string, words: readonly string[]])[] = [
  ['fentry sna', ['snapshot']],
  ['fentry rep', ['report']],
  ['fentry help sna', ['snapshot']],
  ['fentry unmount --', ['--lazy', '--help']],
  ['fentry start -p fun', ['function_graph', 'function']],
  ['fentry start --tracer=fun', ['--tracer=function_graph', '--tracer=function']],
  ['fentry start -l ha', ['handle', 'handleAll']],
  ['fentry start -l :m', [':mod:express']],
  ["fentry start -l 'ha", ['handle', 'handleAll']],
  ['fentry list -f handleA', ['handleAll']],
  ['fentry probe handleA', ['handleAll']],
  ['fentry probe -L ha', ['handle']],
  ['fentry probe -l shop:', ['shop:order']],
  ["fentry bpftrace -e 'kprobe:h", ['kprobe:handle']],
  ['fentry bpftrace -l kprobe:h', ['kprobe:handle']],
  [`fentry stap -l 'kernel.f`, ['kernel.function("handle")']],
  [`fentry stap -l 'kernel.function("h`, ['kernel.function("handle")']],
  ['fentry stap -e pro', []],
  ['fentry stap -x 471', ['4711', '4712']],
  ['fentry start --pid 471', ['4711', '4712']],
  ['fentry start --pid 4712 -C of', ['of-4712']],
  ['fentry cat trace_', ['trace_pipe']],
  ['fentry write ev', ['events/']],
  ['fentry record -p function -- nod', []],
  ['fentry record node --imp', []],
  ['fentry report -i rec', []],
  ['fentry completion z', ['zsh']],
  ['fentry nothing x', []],
];

for (const [line, words] of CASES) {
  test(`\`${line}\` is completed with ${words.join(', ') || 'files'}`, async () => {
    assert.deepEqual(await complete(line), words);
  });
}

test('every option of every verb is offered, with what the help says of it', async () => {
  for (const verb of VERBS) {
    const found = await candidates([verb.name, '--'], VERBS, SOURCE);
    assert.deepEqual(
      found.map(({ word }) => word),
      [...Object.keys(verb.options).map((name) => `--${name}`), '--help'],
    );
  }
  const [lazy] = await candidates(['unmount', '--la'], VERBS, SOURCE);
  assert.deepEqual(lazy, { word: '--lazy', about: 'unmount now, even if a file is open there' });
});

test('a line is taken into words as a shell takes it', () => {
  assert.deepEqual(commandWords(`fentry  start -l 'a b' "c\\"d" e\\ f `), ['fentry', 'start', '-l', 'a b', 'c"d', 'e f', '']);
});
