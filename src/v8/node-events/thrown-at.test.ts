import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { Texts } from '../realm/texts.js';
import { createThrownAt } from './thrown-at.js';

const thrownAt = createThrownAt(new Texts('file:///fentry/'));
const OWN = fileURLToPath(import.meta.url);

/** What `throws` throws. */
function thrownBy(throws: () => unknown): Error {
  try {
    throws();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

test('the place of an error is that of its innermost frame outside of Node', () => {
  const place = thrownAt(thrownBy(() => JSON.parse('{')));
  assert.match(place, /thrown-at\.test\.[jt]s:\d+:\d+$/);
  assert.ok(place.startsWith(OWN));
});

test('the stack stays unmade: the program makes it later, once, with its own function', () => {
  const error = new TypeError('first');
  const property = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  let calls = 0;
  Error.prepareStackTrace = (made) => {
    calls++;
    return made.message;
  };
  try {
    assert.ok(thrownAt(error).startsWith(OWN));
    assert.equal(calls, 0);
    error.message = 'second';
    assert.equal(error.stack, 'second');
    assert.equal(calls, 1);
  } finally {
    if (property === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
    else Object.defineProperty(Error, 'prepareStackTrace', property);
  }
});

test('a stack that was made is read as text', () => {
  const error = new Error('made');
  assert.match(String(error.stack), /made/);
  // Node may have made it with the author's places.
  assert.match(thrownAt(error), /thrown-at\.test\.[jt]s:\d+:\d+$/);
  error.stack = 'Error: moved\n    at async f (/app/a.js:3:4)\n    at node:fs:1:2';
  assert.equal(thrownAt(error), '/app/a.js:3:4');
});

test('nothing of the program runs: getters, Proxies and errors of other realms have no place', () => {
  const touched = (): never => assert.fail('code of the program ran');
  const error = Object.defineProperty(new Error('x'), 'stack', { get: touched });
  assert.equal(thrownAt(error), '');
  assert.equal(thrownAt(new Proxy(new Error('x'), { get: touched, getPrototypeOf: touched })), '');
  assert.equal(thrownAt(runInNewContext('new Error("far")')), '');
  assert.equal(thrownAt('text'), '');
});
