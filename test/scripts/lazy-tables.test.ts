import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const { lazyTables } = (await import(pathToFileURL(resolve('scripts/build/lazy-tables.mjs')).href)) as {
  lazyTables: (text: string) => string;
};

/** A bundle of these statements. */
const bundle = (text: string): string => `(function (exports) { ${text}\n})`;
const WORDS = '{A:0,B:1,C:2,D:3}';
const cases: Readonly<Record<string, readonly [string, string]>> = {
  'numbers stand where they are used': [`var W=${WORDS};function f(){return W.C}`, 'var W=0;function f(){return 2}'],
  'a table with other uses is made at the first of them': [
    `var T={a:"x",b:"y",c:"z",d:""};function f(k){return T[k]}function g(){return{T}}`,
    `var T_made,T=()=>T_made??={a:"x",b:"y",c:"z",d:""};function f(k){return T()[k]}function g(){return{T:T()}}`,
  ],
  both: [`var W=${WORDS};const f=k=>W.D+W[k]`, `var W_made,W=()=>W_made??=${WORDS};const f=k=>3+W()[k]`],
};

for (const [name, [before, after]] of Object.entries(cases))
  test(name, () => assert.equal(lazyTables(bundle(before)), bundle(after)));

const LEFT_ALONE: Readonly<Record<string, string>> = {
  'used at once': `var W=${WORDS},w=W.A;`,
  'written to': `var W=${WORDS};function f(){W.A=1}`,
  'another variable of that name': `var W=${WORDS};function f(W){return W.A}`,
  'another variable of that name, from a pattern': `var W=${WORDS};function f({W}){return W.A}`,
  'a value that is not constant': 'var x=1,W={A:x,B:1,C:2,D:3};function f(){return W.A}',
  small: 'var W={A:0};function f(){return W.A}',
};

for (const [name, text] of Object.entries(LEFT_ALONE))
  test(`left alone: ${name}`, () => assert.equal(lazyTables(bundle(text)), bundle(text)));
