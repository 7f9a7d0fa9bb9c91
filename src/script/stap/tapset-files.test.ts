import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OFFERED_FACTS } from './conditions.js';
import { isTapsetUsed, TapsetFiles, type TapsetText } from './tapset-files.js';

const file = (path: string, text: string): TapsetText => ({ path, text });

test('a tapset is parsed when a name of it is asked for', () => {
  let reads = 0;
  const own = (): TapsetText[] => [
    file('a.stp', '// function f is in b\nprivate global mine\nglobal shared, other[3]\nprobe a.b = never { }'),
    file('b.stp', 'function f(x) { return x }\nprobe a.c = never, a.b { }'),
    file('broken.stp', 'function g( { }'),
  ];
  const empty = (): TapsetText[] => {
    reads++;
    return [];
  };
  const library = new TapsetFiles([own, empty], OFFERED_FACTS);
  assert.equal(library.fileOfFunction('f')?.path, 'b.stp');
  assert.equal(library.fileOfGlobal('other')?.path, 'a.stp');
  assert.equal(reads, 0);
  assert.deepEqual(library.problems, []);
  assert.equal(library.fileOfGlobal('mine'), undefined);
  assert.equal(library.fileOfFunction('g'), undefined);
  assert.match(library.problems.join(), /parse error: expected identifier\n.*broken\.stp:1:13/);
  assert.equal(reads, 1);
  assert.deepEqual(
    library.aliases('a').map(({ file: { path } }) => path),
    ['a.stp', 'b.stp'],
  );
  assert.equal(library.aliases('a*').length, 2);
  assert.equal(library.aliases('b').length, 0);
  assert.deepEqual(library.functionNames, ['f', 'g']);
});

test('an alias of a folder that the user names hides one of the same name, a function does not', () => {
  const own = (): TapsetText[] => [file('own.stp', 'probe irq.entry = begin { }\nprobe irq.exit = end { }\nfunction f() { }')];
  const named = (): TapsetText[] => [
    file('named.stp', 'probe irq.entry = never { x = @both(1, 2) }\nfunction f() { }'),
    file('named.stpm', '@define both(a, b) %( @a + @b %)'),
  ];
  const library = new TapsetFiles([own, named], OFFERED_FACTS);
  const names = library.aliases('irq').map(({ alias, file: { path } }) => `${path} ${alias.names[0]!.components[1]!.name}`);
  assert.deepEqual(names, ['named.stp entry', 'own.stp exit']);
  assert.equal(library.fileOfFunction('f')?.path, 'own.stp');
  assert.equal(library.macro('both')?.parameters.length, 2);
  assert.equal(library.macro('none'), undefined);
});

test('files for other machines and runtimes are not used', () => {
  const used = [
    'a.stp',
    'linux/a.stp',
    'linux/x86_64/a.stp',
    'x86_64/a.stpm',
    '6.1/a.stp',
    'bpf/a.stp',
    'arm64/a.stp',
    'a.txt',
    '6/a.stp',
  ];
  assert.deepEqual(
    used.filter((path) => isTapsetUsed(path, OFFERED_FACTS)),
    ['a.stp', 'linux/a.stp', 'linux/x86_64/a.stp', 'x86_64/a.stpm', '6.1/a.stp', '6/a.stp'],
  );
});
