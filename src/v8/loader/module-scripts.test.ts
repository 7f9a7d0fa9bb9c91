import assert from 'node:assert/strict';
import Module from 'node:module';
import { test } from 'node:test';
import { Texts } from '../realm/texts.js';
import type { ReadText } from './linker.js';
import { type CompiledText, codeOf, ModuleScripts, textOf } from './module-scripts.js';
import { HEAD_LENGTH, scriptForm } from './module-text.js';
import { positionsOf } from './text-positions.js';

// The tests run with source maps, under which Node compiles all.
process.setSourceMapsEnabled(false);

const PREFIX = '$ftest';
const LONG = `exports.sum = (a, b) => a + b; exports.file = __filename; exports.self = this === exports; /*${'x'.repeat(20_000)}*/`;

interface Global {
  [name: string]: unknown;
}

/** Compiles texts with a realm that has nothing but the stub's call. */
const setUp = () => {
  const compiled: { made: CompiledText; isCodeUsed: boolean }[] = [];
  const cells = { setCall: (letter: string, value: unknown) => ((globalThis as Global)[PREFIX + letter] = value) };
  const texts = new Texts('file:///own/');
  const realm = { cells, texts };
  const scripts = new ModuleScripts('/own/', realm as never, true, (_read, made, isCodeUsed) =>
    compiled.push({ made, isCodeUsed }),
  );
  const load = (text: string, read: Partial<ReadText> = {}): Global | undefined => {
    const made = { text, cells: { prefix: PREFIX, first: 0, count: 1 }, read: { mayImport: false, ...read } };
    const args = scripts.argumentsFor(text, '/program/file.js', made as never);
    if (args === undefined) return undefined;
    const module = new Module('/program/file.js');
    (module as never as { _compile(...args: unknown[]): unknown })._compile(...args);
    return module.exports as Global;
  };
  return { scripts, compiled, load, texts };
};

/** What a pack would hold of the text that was compiled last. */
const packedOf = ({ compiled }: ReturnType<typeof setUp>) => {
  const { made } = compiled.at(-1)!;
  return { payload: new Uint8Array(0), text: textOf(made), code: codeOf(made), isCompiled: true };
};

test('a text runs as Node runs a module, first without its code and then with it', () => {
  const parts = setUp();
  for (const packed of [undefined, 'code'] as const) {
    const exports = parts.load(LONG, packed && { packed: packedOf(parts) });
    assert.ok(exports);
    assert.deepEqual([exports['file'], exports['self']], ['/program/file.js', true]);
    assert.equal((exports['sum'] as (a: number, b: number) => number)(1, 2), 3);
  }
  assert.deepEqual(
    parts.compiled.map(({ isCodeUsed }) => isCodeUsed),
    [false, true],
  );
});

test('code that V8 rejects does no harm', () => {
  const parts = setUp();
  parts.load(LONG);
  const { code } = packedOf(parts);
  // Another text each time: V8 has those of before in memory.
  [code.subarray(0, 100), Buffer.alloc(code.length), code].forEach((bad, index) => {
    const text = `${LONG}// ${'another'.repeat(index + 1)}`;
    const packed = { payload: new Uint8Array(0), text: scriptForm(text), code: bad, isCompiled: true };
    assert.equal(parts.load(text, { packed })?.['self'], true);
    assert.equal(parts.compiled.at(-1)?.isCodeUsed, false);
  });
});

test('Node compiles what is short, what may import, and what a script would read otherwise', () => {
  const { load, scripts, compiled } = setUp();
  assert.equal(load('exports.a = 1'), undefined);
  assert.equal(load(LONG, { mayImport: true }), undefined);
  assert.equal(load(`#!/usr/bin/env node\n${LONG}`), undefined);
  assert.equal(load(`--> a comment\n${LONG}`), undefined);
  assert.equal(load(`${LONG} @`), undefined, 'its own error must come');
  const { wrap } = Module;
  Module.wrap = (text) => wrap(`var wrapped;${text}`);
  try {
    assert.equal(load(LONG), undefined);
  } finally {
    Module.wrap = wrap;
  }
  scripts.stop();
  assert.equal(load(LONG), undefined);
  assert.deepEqual(compiled, []);
});

test('the places of what is compiled are behind the head of the script, and the text is there once', () => {
  const { load, texts } = setUp();
  const made = { functions: 0, bytes: new Uint8Array(0) };
  texts.add('/program/file.js', positionsOf({ length: LONG.length, firstFunction: 0, base: 0x80000000 }, made, PREFIX));
  assert.ok(load(LONG));
  const positions = texts.get('/program/file.js');
  assert.equal(positions?.originalOffset(HEAD_LENGTH + 5), 5);
  assert.equal(positions?.compiledOffset(5), HEAD_LENGTH + 5);
  assert.equal(texts.isRepeated(0x80000000), false);
});
