import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TraceError } from '../../base/errno.js';
import { headedScript, shellWords } from './script-header.js';

test('the first line names the language, and its options as a shell has them', () => {
  const text = `#!/usr/bin/env -S bpftrace -d 'a b'\nBEGIN { exit(); }\n`;
  assert.deepEqual(headedScript(text), { language: 'bpftrace', file: '<input>', words: ['-d', 'a b'], text });
  assert.equal(headedScript('#!/usr/bin/stap').language, 'stap');
});

test('the line of a verb is none of the script', () => {
  const words = ['stap', 'a file.stp', '-D', 'MAXACTION=1', '--', 'two\nlines'];
  assert.deepEqual(headedScript(`#!fentry ${JSON.stringify(words)}\nprobe begin {}`), {
    language: 'stap',
    file: 'a file.stp',
    words: words.slice(2),
    text: 'probe begin {}',
  });
});

test('what names no language is refused', () => {
  for (const text of [
    '',
    'probe begin {}',
    '#!/bin/sh\n',
    '#!fentry x\n',
    '#!fentry ["perl"]\n',
    '#!fentry [1]\n',
    `#!stap '\n`,
  ]) {
    assert.throws(
      () => headedScript(text),
      (error) => error instanceof TraceError && error.errno === 'EINVAL',
      text,
    );
  }
});

test('words are those of a shell', () => {
  assert.deepEqual(shellWords(String.raw`a  "b \"c" 'd\e' f\ g "" x"y"z`), ['a', 'b "c', 'd\\e', 'f g', '', 'xyz']);
  assert.equal(shellWords('a "b'), undefined);
});
