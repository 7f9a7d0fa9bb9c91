import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { DebuggerSession, type Script } from './debugger-session.js';

test('the evaluations of a condition are no scripts: they are neither told of nor kept', () => {
  const told: Script[] = [];
  const session = new DebuggerSession((script) => told.push(script));
  const f = new vm.Script('(function f(a) { return a; })', { filename: 'file:///app/hit.js' }).runInThisContext();
  const [script] = told;
  const known = session.announced.length;
  const place = { scriptId: script!.scriptId, lineNumber: 0, columnNumber: 17 };
  const hits: number[] = [];
  Object.assign(globalThis, { told: (a: number) => hits.push(a) });
  session.setBreakpoint(place, 'told(a);throw 0');
  for (let i = 0; i < 3; i++) f(i);
  session.end();
  Reflect.deleteProperty(globalThis, 'told');
  assert.deepEqual(hits, [0, 1, 2]);
  assert.deepEqual([told.map(({ url }) => url), session.announced.length], [['file:///app/hit.js'], known]);
});
