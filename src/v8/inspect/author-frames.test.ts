import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { AuthorFrames } from './author-frames.js';

/** Line 1 of the text is line 8 of `cart.ts`, from column 4 on. */
const MAP = { version: 3, sources: ['cart.ts'], names: [], mappings: 'AAOG' };
const raw = (url: string, name = 'add') => ({ name, url, line: 1, column: 1, isAsync: false });

test('a call in a compiled file has the author’s place', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-frames-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'cart.js');
  writeFileSync(`${file}.map`, JSON.stringify(MAP));
  writeFileSync(file, 'add();\n//# sourceMappingURL=cart.js.map\n');
  const frame = new AuthorFrames().frame(raw(pathToFileURL(file).href));
  assert.deepEqual(frame, { name: 'add', place: { file: join(folder, 'cart.ts'), line: 8, column: 4 }, isOwn: true });
});

test('a text that was compiled in memory has the map that its thread knows', () => {
  const frames = new AuthorFrames();
  const data = Buffer.from(JSON.stringify(MAP)).toString('base64');
  frames.know(new Map([['file:///app/cart.ts', `data:application/json;base64,${data}`]]));
  assert.deepEqual(frames.frame(raw('/app/cart.ts')).place, { file: '/app/cart.ts', line: 8, column: 4 });
});

test('packages, Node’s modules and built-in functions are not the application’s', () => {
  const frames = new AuthorFrames();
  const { package: from, isOwn } = frames.frame(raw('/app/node_modules/@scope/cart/index.js'));
  assert.deepEqual([from, isOwn], ['@scope/cart', false]);
  assert.deepEqual(frames.frame({ ...raw('', 'RegExp.test'), line: 0 }), { name: 'RegExp.test', package: 'node', isOwn: false });
  assert.equal(frames.frame(raw('node:fs')).isOwn, false);
  assert.equal(frames.frame(raw('file:///app/%zz', '')).name, '<anonymous>');
});
