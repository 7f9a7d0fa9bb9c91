/** Real files: each comes back from its instrumented text as it was, and its instrumented text is a program. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { compileFunction } from 'node:vm';
import { instrumented } from '../instrument/testing/test-realm.js';
import { assemble } from './assemble.js';
import { choosePrefix } from './prefix.js';
import { restore } from './restore.js';

const require = createRequire(import.meta.url);
const folderOf = (name: string) => dirname(require.resolve(name));
const files = [
  require.resolve('typescript'),
  require.resolve('acorn'),
  ...readdirSync(join(folderOf('express'), 'lib')).map((name) => join(folderOf('express'), 'lib', name)),
  ...readdirSync(folderOf('router'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(folderOf('router'), name)),
].filter((file) => file.endsWith('.js'));

for (const file of files) {
  test(file.slice(file.lastIndexOf('node_modules')), () => {
    const source = readFileSync(file, 'utf8');
    const { edits, functions } = instrumented(source);
    const text = assemble(source, edits, choosePrefix(source), 1);
    assert.ok(text.length > source.length);
    assert.ok(restore(text) === source, 'restored');
    assert.equal(new Set(functions.map((f) => f.start)).size, functions.length);
    for (const { name } of functions) assert.doesNotMatch(name, /[\s:*?[\]!#,]/);
    compileFunction(text, ['exports', 'require', 'module', '__filename', '__dirname']);
  });
}
