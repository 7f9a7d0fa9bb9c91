import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent } from '../../events/define.js';
import { EventWords } from '../../events/event-words.js';
import { dynamic, one } from '../../events/fields.js';
import { OPS_ID } from '../../ftrace/ops.js';
import type { Fetch } from '../../probes/probe-definition.js';
import type { PointPlace } from '../../probes/probe-point.js';
import type { ScriptThread } from '../../script/runtime/script-thread.js';
import type { HandlerCode, ScriptCode, ScriptContext } from '../../script/script-code.js';
import { compile } from '../events/thread-events.js';
import { end, entry, ret, run } from '../tracers/testing/hand-sites.js';
import { createTraced } from '../tracers/testing/traced.js';
import { ThreadContext } from './thread-context.js';
import { ThreadScripts } from './thread-scripts.js';

const first: Fetch = { kind: 'argument', index: 0 };
const retval: Fetch = { kind: 'retval' };

/** What else a handler does. */
interface During {
  run: () => void;
}

/** A runtime whose handlers note where they were hit, what they fetch, and what was saved for them. */
function noting(log: unknown[], during: During) {
  const createScriptThread = (_code: unknown, _memory: unknown, context: ScriptContext): ScriptThread => ({
    writer: context.writer,
    scope: { s: undefined, h: undefined, K: undefined, F: undefined, c: context },
    compileHandler: (index, sources, parameters, values = {}) =>
      compile(`return (${parameters.join()}) => note(${index}, at, [${sources.join()}], saved);`, {
        ...values,
        note(handler: number, at: number, fetched: readonly unknown[], saved: unknown) {
          log.push([handler, context.functionName(at), ...fetched, ...(saved === undefined ? [] : [saved]), context.thrown()]);
          during.run();
        },
      }),
    compileSaves: (_index, sources, parameters, values = {}) =>
      compile(`return (${parameters.join()}) => [${sources.slice(0, 1).join()}];`, values),
    run() {},
    skip: (reason) => log.push(reason),
    addWriter() {},
  });
  return { createScriptThread } as never;
}

const handler = (fetches: readonly Fetch[], more: Partial<HandlerCode> = {}): HandlerCode => ({
  point: { kind: 'never' },
  name: '',
  resolvedName: '',
  fetches,
  body: { text: [''], order: [] },
  reads: [],
  ...more,
});

/** A thread with the functions `outer` and `inner`, on which a script of these handlers runs. */
function scripted(...handlers: readonly HandlerCode[]) {
  const log: unknown[] = [];
  const during: During = { run: () => {} };
  const facts = { pid: 1, ppid: () => 1, uid: () => 0, gid: () => 0 };
  const traced = createTraced(['outer', 'inner'], {
    createScripts: (trace, env) => new ThreadScripts(env, new ThreadContext(trace, env, facts), noting(log, during), compile),
  });
  const { runtime } = traced;
  const code = { handlers } as unknown as ScriptCode;
  runtime.events.setScript({ script: 1, change: { type: 'begin', code, memory: {} as never } });
  const functions = ['outer', 'inner'].map((name, n) => ({ n, name, module: '', params: [] }));
  return {
    log,
    during,
    traced,
    /** Puts a handler at a place. */
    add(index: number, place: PointPlace): void {
      const args = handlers[index]!.fetches.map((fetch) => ({ name: 'f', text: '', fetch, type: { name: 'value' as const } }));
      const common = { id: index, event: '', maxactive: 0, hits: -1, missed: -1 };
      const point = { ...common, handler: { script: 1, handler: index, functions }, place, args };
      runtime.setService('kprobe', { type: 'add', point });
      traced.patchOnly([0, 1], [OPS_ID.KPROBE]);
    },
    remove: (index: number) => runtime.setService('kprobe', { type: 'remove', id: index }),
  };
}

const down = run<(n: number) => number>(
  `function down(n) { ${entry(0, 'n')} if (n > 0) down(n - 1); ${ret('n * 10')} ${end} } return down;`,
);

test('a handler at an entry fetches what it reaches, and knows its function', () => {
  const { log, add, remove } = scripted(handler([{ kind: 'member', of: first, name: 'id' }]));
  add(0, { kind: 'entry', functions: [0] });
  const outer = run<(order: unknown) => void>(`function outer(order) { ${entry(0, 'order')} ${end} } return outer;`);
  outer({ id: 7 });
  outer(undefined);
  assert.equal(log.length, 2);
  assert.deepEqual(log[0], [0, 'outer', 7, '']);
  remove(0);
  outer({ id: 8 });
  assert.equal(log.length, 2);
});

test('what the entry of a call has saved comes with the end of the same call, in recursion too', () => {
  const { log, add } = scripted(handler([first, retval], { saves: { text: [''], order: [] } }));
  add(0, { kind: 'return', functions: [0] });
  down(2);
  assert.deepEqual(log, [
    [0, 'outer', 0, 0, [0], ''],
    [0, 'outer', 1, 10, [1], ''],
    [0, 'outer', 2, 20, [2], ''],
  ]);
});

test('what a handler calls itself runs no handler, and is counted', () => {
  const { log, during, add } = scripted(handler([]));
  add(0, { kind: 'entry', functions: [0] });
  during.run = () => void down(0);
  down(0);
  assert.deepEqual(log, [[0, 'outer', ''], 'reentrant']);
});

test('an event runs a handler with the values of its fields', () => {
  const { log, traced } = scripted(
    handler([
      { kind: 'variable', name: 'name' },
      { kind: 'variable', name: 'count' },
    ]),
  );
  const fields = { count: one('u8'), name: dynamic('char') };
  const event = { ...defineEvent('shop', 'order', { fields, print: '"%u %s", REC->count, __get_str(name)' }), id: 700 };
  const words = new EventWords();
  const point = { kind: 'entry' as const, functions: [0] };
  const args = [first, { ...first, index: 1 }].map((fetch, i) => ({
    name: Object.keys(fields)[i]!,
    text: '',
    fetch,
    type: { name: i === 0 ? ('u8' as const) : ('string' as const) },
  }));
  const probed = { ...event, specs: { __probe_ip: one('u64'), ...event.specs } };
  traced.runtime.setService('kprobe', {
    type: 'add',
    point: { id: 9, event: 'shop:order', place: point, args, maxactive: 0, hits: words.take(0)!, missed: words.take(0)! },
  });
  const config = { word: 0, isRecorded: false, triggers: [], hists: [], handlers: [{ script: 1, handler: 0 }] };
  traced.runtime.events.configure({ instance: -1, event: probed, memory: words.memory, config });
  const outer = run<(a: unknown, b: unknown) => void>(`function outer(a, b) { ${entry(0, 'a,b')} ${end} } return outer;`);
  traced.patchOnly([0], [OPS_ID.KPROBE]);
  outer(257, 'x');
  // As the record would have them.
  assert.deepEqual(log, [[0, '', 'x', 1, '']]);
});
