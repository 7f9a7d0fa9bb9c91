import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionNames } from '../../ftrace/function-match.js';
import { EMPTY_HASH } from '../../ftrace/hash.js';
import { FakeThread } from '../testing/fake-thread.js';
import { ProcessServices } from './process-services.js';

const NO_FILTERS = { filter: EMPTY_HASH, notrace: EMPTY_HASH };
const noNames = () =>
  functionNames(
    [],
    () => '',
    () => '',
  );

test('every thread, also one that starts later, gets a service, and its end', () => {
  const thread = new FakeThread();
  const services = new ProcessServices([thread.connection], () => NO_FILTERS);
  services.set('stack', { name: 'stack_trace_call', config: { depth: 3 } });
  services.tell('stack');
  const late = new FakeThread(1);
  services.addThread(late.connection);
  assert.deepEqual(late.posted, [{ type: 'service', kind: 'stack', config: { depth: 3 } }]);
  services.delete('stack');
  services.tell('stack');
  assert.deepEqual(
    thread.of('service').map(({ config }) => config),
    [{ depth: 3 }, undefined],
  );
  assert.deepEqual(services.ops, []);
});

test('a configuration that is a function is called for each cpu, and again when functions were linked; another is not', () => {
  const threads = [new FakeThread(0), new FakeThread(1)];
  let room = 10;
  const services = new ProcessServices(
    threads.map(({ connection }) => connection),
    () => NO_FILTERS,
  );
  services.set('profiler', { name: 'ftrace_graph_func', config: (cpu: number) => ({ cpu, room }) });
  services.set('stack', { name: 'stack_trace_call', config: 1 });
  room = 20;
  services.link(noNames, [10]);
  assert.deepEqual(
    threads.map(({ posted }) => posted),
    [0, 1].map((cpu) => [{ type: 'service', kind: 'profiler', config: { cpu, room: 20 } }]),
  );
});

test('a service without an own filter has the present filter of the top level', () => {
  const read = { functions: new Set([7]), words: [] };
  let top = NO_FILTERS;
  const services = new ProcessServices([], () => top);
  services.set('profiler', { name: 'ftrace_graph_func', config: undefined });
  services.set('stack', { name: 'stack_trace_call', filter: EMPTY_HASH, config: undefined });
  top = { ...NO_FILTERS, filter: read as never };
  assert.deepEqual(
    services.ops.map(({ name, filter }) => [name, [...filter.functions]]),
    [
      ['ftrace_graph_func', [7]],
      ['stack_trace_call', []],
    ],
  );
});
