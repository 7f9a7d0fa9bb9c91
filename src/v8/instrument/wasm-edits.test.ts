import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { Template } from '../text/edit-form.js';
import { assemble, choosePrefix } from '../text/index.js';
import { pieceNames } from '../text/pieces.js';
import { type Instrumented, instrument, type SourceType } from './index.js';
import { TreeNode } from './tree.js';
import { parseFast } from './wasm-parser.js';

const skip = !existsSync(new URL('./parser.wasm', import.meta.url)) && 'assemblyscript was not installed when fentry was built';

const made = (source: string, type: SourceType, fast?: typeof parseFast): Instrumented =>
  instrument(source, type, {}, fast) as Instrumented;

/** A source with its text is the same, whoever writes its edits; returns the text. */
function same(source: string, type: SourceType = 'commonjs', first = 1): string {
  const slow = made(source, type, () => undefined);
  const fast = made(source, type);
  const prefix = choosePrefix(source);
  const text = fast.assemble?.(prefix, first);
  assert.deepEqual(fast.edits, slow.edits, source);
  assert.deepEqual(fast.functions, slow.functions, source);
  assert.equal(text, assemble(source, slow.edits, prefix, first), source);
  return text as string;
}

test('each piece is written as JavaScript writes it', { skip }, () => {
  for (const source of [
    'function f(a, b) {\n  if (a) return b\n  return\n}',
    'const f = async (x) => x, g = (a, b) => (a, b), h = function* (a) { const b = yield a; return b; }',
    'function f() { try { return g() } catch { h() } finally { i() } }',
    'function f() { try { try { return g() } finally { h() } } catch (error) { return error } finally { i() } }',
    'async function f(a) { try { await a; return await a.b } catch ({ c }) { for await (const d of c) e(d) } }',
    'async function f(a) {\n\n\n\n\n\n  await\n    a.b(\n\n\n      await c)\n  return void await 1\n}',
    'class A extends B { #a = () => this; static { this.x = () => 1 } constructor(a) { super(a); } get b() { return 1 } }',
    'function aNameThatIsLongerThanFifteenUnits(aParameterThatIsLongerThanFifteenUnits, b) { $f: for (;;) break $f }',
  ])
    same(source);
  assert.match(same('function f(a, b) { return a }', 'script', 123_456), /\$f123456\(123456,this,a,b\)/);
});

test('a source with other units than those of a byte keeps them', { skip }, () => {
  assert.match(same('function f(a) { return "ä" + a }'), /"ä"/);
  assert.match(same('function f(a) { return "→\u{1f600}" + a }'), /"→\u{1f600}"/u);
  assert.match(same(`/* ${'é'.repeat(99)} */ (a) => '漢'`, 'module'), /'漢'/);
});

test('a text is made of the source that was read last, or not by the parser', { skip }, () => {
  const first = made('function f() { return 1 }', 'commonjs');
  const second = made('function g() { return 2 }', 'commonjs');
  assert.equal(first.assemble?.('$f', 1), undefined);
  assert.match(second.assemble?.('$f', 1) as string, /=2,/);
  parseFast('let a', 'commonjs');
  assert.equal(second.assemble?.('$f', 1), undefined);
});

test('without memory for them, edits are written by JavaScript', { skip }, () => {
  const refusing =
    (part: 'give' | 'behind'): typeof parseFast =>
    (...args) => {
      const program = parseFast(...args);
      assert.ok(program instanceof TreeNode);
      const { tree } = program;
      const parser = {
        ...tree.parser,
        [part]: () => {
          throw new RangeError('no memory');
        },
      };
      Object.defineProperty(tree, 'parser', { value: parser });
      return program;
    };
  const source = 'async (a) => { for (const b of a) await b }';
  const { edits } = made(source, 'commonjs', () => undefined);
  const without = made(source, 'commonjs', refusing('give'));
  assert.deepEqual([without.edits, without.assemble], [edits, undefined]);
  const withEdits = made(source, 'commonjs', refusing('behind'));
  assert.deepEqual([withEdits.edits, withEdits.assemble?.('$f', 1)], [edits, undefined]);
});

test('all pieces have a place among the templates', () => {
  assert.ok(pieceNames().length <= Template.Caught);
});
