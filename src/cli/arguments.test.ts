import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberOption, optionsFirst, parseOptions, splitCommand } from './arguments.js';
import { UsageError } from './verb.js';

const SPECS = {
  tracer: { type: 'string', short: 'p' },
  function: { type: 'string', short: 'l', multiple: true },
  long: { type: 'boolean', short: 'x' },
} as const;

const splits: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['-p function -- node -p 1', ['-p', 'function'], ['node', '-p', '1']],
  ['-p function node -p 1', ['-p', 'function'], ['node', '-p', '1']],
  ['-pfunction node', ['-pfunction'], ['node']],
  ['--tracer function node', ['--tracer', 'function'], ['node']],
  ['--tracer=function node', ['--tracer=function'], ['node']],
  ['-x node --', ['-x'], ['node', '--']],
  ['-l a -l b', ['-l', 'a', '-l', 'b'], []],
  ['-- -p', [], ['-p']],
];

for (const [line, own, command] of splits) {
  test(`\`${line}\` runs \`${command.join(' ')}\``, () => {
    assert.deepEqual(splitCommand(line.split(' '), SPECS), { own, command });
  });
}

test('options are parsed by letter and by name', () => {
  const { values, words } = parseOptions(['-l', 'a', '--function=b', 'word', '-x'], SPECS);
  assert.deepEqual({ ...values }, { function: ['a', 'b'], long: true });
  assert.deepEqual(words, ['word']);
});

test('words that begin with a dash are told from options', () => {
  for (const [line, sorted] of [
    ['file -:x -1 - -p 3 --function=a', '-p 3 --function=a -- file -:x -1 -'],
    ['-p3 file -- -p --', '-p3 -- file -p --'],
    ['file --functoin -p', '--functoin -p -- file'],
  ] as const) {
    assert.equal(optionsFirst(line.split(' '), SPECS).join(' '), sorted);
  }
});

test('an option that the verb does not have is a usage error', () => {
  assert.throws(() => parseOptions(['-q'], SPECS), UsageError);
  assert.throws(() => parseOptions(['-p'], SPECS), UsageError);
  assert.throws(() => parseOptions(['--traser=x'], SPECS), /^Error: there is no option '--traser'; did you mean '--tracer'\?$/);
  assert.throws(() => parseOptions(['--nonsense'], SPECS), /^Error: there is no option '--nonsense'$/);
});

test('an option without its value, or with one that it does not take, is said in the words of the command line', () => {
  const needs = 'needs a value; one that begins with a dash is written --function=-...';
  assert.throws(() => parseOptions(['-l'], SPECS), new UsageError(`-l ${needs}`));
  assert.throws(() => parseOptions(['-l', '-x'], SPECS), new UsageError(`-l ${needs}`));
  assert.throws(() => parseOptions(['--function', '-x'], SPECS), new UsageError(`--function ${needs}`));
  assert.throws(() => parseOptions(['--long=yes'], SPECS), new UsageError('-x takes no value'));
});

test('numbers are whole and large enough', () => {
  assert.equal(numberOption('-b', '12', 1), 12);
  for (const bad of ['0', '-1', '1.5', '0x10', 'x', '']) assert.throws(() => numberOption('-b', bad, 1), UsageError);
});
