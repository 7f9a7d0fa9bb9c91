import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackKind } from './callback-kind.js';

const node = (name: string, file: string) => ({ name, place: { file, line: 1, column: 1 }, package: 'node', isOwn: false });
const own = (name: string) => ({ name, place: { file: '/srv/app.js', line: 1, column: 1 }, isOwn: true });

test('the outermost of Node’s functions says what the event loop called', () => {
  const kinds = [
    [own('tick'), node('listOnTimeout', 'node:internal/timers'), node('process.processTimers', 'node:internal/timers')],
    [own('tick'), node('processImmediate', 'node:internal/timers')],
    [own('handle'), node('emit', 'node:events'), node('parserOnIncoming', 'node:_http_server')],
    [own('data'), node('onStreamRead', 'node:internal/stream_base_commons')],
    [own('read'), node('readFileAfterClose', 'node:internal/fs/read/context')],
    [own('job'), node('<anonymous>', 'node:internal/per_context/messageport')],
    [own('main'), node('Module._compile', 'node:internal/modules/cjs/loader')],
    [own('odd'), node('somethingNew', 'node:internal/unheard_of')],
  ].map(callbackKind);
  assert.deepEqual(kinds, ['timer', 'immediate', 'request', 'socket', 'file', 'message', 'start', 'callback']);
});

test('a reaction of a promise has nothing of Node’s around it', () => {
  assert.equal(callbackKind([own('inner'), own('outer')]), 'promise');
  assert.equal(callbackKind([]), 'promise');
});
