import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instrumented, textOf } from '../instrument/testing/test-realm.js';
import { restore } from './restore.js';

const SOURCES = [
  'function f(a) { return a }',
  'function f(){return(1)} function g(){return}',
  'x=>y=>({x,y})',
  '(function(){})();(()=>(1))();(function(){let a;a;const b=1})()',
  'function f(){try{return 1}finally{g()}} async function h(){try{await 1;await f()}catch{}finally{return}}',
  'function f(){try{g()}catch(e){try{h()}catch({code}){}}} function*i(){try{yield}catch{}} async()=>{try{await 1}catch(\\u0061){}}',
  'function*g(){const a=yield;yield*(yield 1);yield\nyield(a)}',
  'async function f(){for await(const x of y){if(x)continue;break}for await(x of y)z;(await x)(await(y))}',
  'function f() { return () => {}\n(1) }',
  'class A { constructor() { return } static m() { return class { #p = () => this } } }',
  "function f(){'use strict'} function g($form){return $form}",
];

test('texts are read as they were written', () => {
  for (const source of SOURCES) assert.equal(restore(textOf(source)), source);
});

test('long texts, too', () => {
  const source = `async function long() { ${'try { f(() => { return 1 }) } finally { await g() }\n'.repeat(200)} }`;
  assert.equal(restore(textOf(source)), source);
});

test('of each function of a text too', () => {
  for (const source of SOURCES) {
    const text = textOf(source);
    for (const { start, end } of instrumented(source).functions) {
      const original = source.slice(start, end);
      const found = slicesFrom(text).some((slice) => restore(slice) === original);
      assert.ok(found, `${original} of ${source}`);
    }
  }
});

/** All pieces of a text that end where a function could. */
function slicesFrom(text: string): string[] {
  const slices: string[] = [];
  for (let start = 0; start < text.length; start++) {
    for (let end = text.length; end > start; end--) if (text[end - 1] === '}') slices.push(text.slice(start, end));
  }
  return slices;
}

test('a text without sites stays as it is', () => {
  const source = 'function f() { return "$f and {/*$f*" }';
  assert.equal(restore(source), source);
});

test('a text that holds an instrumented text is restored to it', () => {
  const inner = textOf('function f(a) { return a }');
  const source = `function show() { return ${JSON.stringify(inner)} } ${inner}`;
  assert.equal(restore(textOf(source)), source);
});
