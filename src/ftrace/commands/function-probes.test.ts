import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FunctionMatcher, type FunctionNames, functionNames } from '../function-match.js';
import { parseCommandWord } from './command-word.js';
import type { ProbeGroup } from './function-probe.js';
import { FunctionProbes } from './function-probes.js';

const FUNCTIONS = ['read', 'readv', 'write', 'rename'];
const namesOf = (functions: readonly string[]): FunctionNames =>
  functionNames(
    functions.map((_, n) => n),
    (n) => functions[n]!,
    () => '',
  );

/** Probes of which every change is noted, as `+3` and `-3`. */
function noted() {
  const changes: string[] = [];
  const groups: ProbeGroup[] = [];
  const probes = new FunctionProbes({
    added: (_probe, group) => {
      groups.push(group);
      changes.push(...[...group.functions].map((n) => `+${n}`));
    },
    removed: (_probe, functions) => changes.push(...[...functions].map((n) => `-${n}`)),
  });
  let names = namesOf(FUNCTIONS);
  const write = (text: string, waits = false): void => {
    const word = parseCommandWord(text, () => undefined)!;
    probes.apply(word, new FunctionMatcher(names), names, waits);
  };
  const link = (...more: string[]): void => {
    const first = names.listed.length;
    names = namesOf([...names.listed.map((n) => names.name(n)), ...more]);
    probes.link(
      names,
      more.map((_, i) => first + i),
    );
  };
  const lines = (): string => [...probes.lines(names, (n) => names.name(n))].join('');
  return { probes, changes, groups, write, link, lines };
}

test('probes are listed newest first; with a count they are others than without', () => {
  const { write, lines } = noted();
  write('read*:traceoff');
  write('read:traceoff:3');
  write('write:traceon:5');
  assert.equal(lines(), 'write:traceon:count=5\nread:traceoff:count=3\nread:traceoff:unlimited\nreadv:traceoff:unlimited\n');
});

test('a function that has a probe keeps it as it is', () => {
  const { write, lines, changes } = noted();
  write('read:traceoff:3');
  assert.throws(() => write('read:traceoff:9'), { errno: 'EINVAL' });
  write('read*:traceoff:9');
  assert.equal(lines(), 'read:traceoff:count=3\nreadv:traceoff:count=9\n');
  assert.deepEqual(changes, ['+0', '+1']);
});

test('each function counts down separately from the count', () => {
  const { write, lines, groups } = noted();
  write('read*:snapshot:9999999999');
  Atomics.sub(groups[0]!.counts!, groups[0]!.places![1]!, 2);
  assert.equal(lines(), 'read:snapshot:count=9999999999\nreadv:snapshot:count=9999999997\n');
  write('write:snapshot:');
  assert.match(lines(), /write:snapshot:count=-1/);
});

test('removed commands are gone: by name, by glob, or all', () => {
  const { probes, write, lines, changes } = noted();
  write('*:traceoff');
  write('!read:traceoff');
  write('!w*:traceoff');
  assert.equal(lines(), 'readv:traceoff:unlimited\nrename:traceoff:unlimited\n');
  assert.throws(() => write('!read:traceoff'), { errno: 'EINVAL' });
  assert.throws(() => write('!readv:traceoff:1'), { errno: 'ENODEV' });
  write('!:traceoff');
  assert.deepEqual(changes.slice(4), ['-0', '-2', '-1', '-3']);
  assert.equal(probes.all.length, 0);
  assert.throws(() => write('!*:traceoff'), { errno: 'ENODEV' });
});

test('functions that are linked later get the probes of the last word that matches them', () => {
  const { write, link, lines } = noted();
  write('read*:traceoff:3');
  write('re*:traceoff:7');
  write('!readv*:traceoff:');
  link('reader', 'readvec', 'other');
  assert.equal(lines(), 'read:traceoff:count=3\nrename:traceoff:count=7\nreader:traceoff:count=7\n');
});

test('before anything is linked a word may wait for its functions', () => {
  const { write, link, lines } = noted();
  write('late:dump', true);
  assert.equal(lines(), 'late:dump:count=1\n');
  link('late');
  assert.equal(lines(), 'late:dump:count=1\n');
  assert.throws(() => write('later:dump'), { errno: 'EINVAL' });
});

test('a thread that starts later gets all present probes', () => {
  const { probes, write } = noted();
  write('read:traceoff:3');
  write('write:traceoff:4');
  write('readv:traceoff:5');
  write('!write:traceoff:0');
  const groups = probes.all[0]!.groups();
  assert.deepEqual(
    groups.map(({ functions, counts, places }) => [...functions].map((n, i) => [n, counts![places![i]!]])),
    [[[0, 3]], [[1, 5]]],
  );
});
