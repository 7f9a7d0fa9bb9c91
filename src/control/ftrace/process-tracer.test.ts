import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FilterEditor, parseFilterWord } from '../../ftrace/function-filter.js';
import { EMPTY_HASH } from '../../ftrace/hash.js';
import { OPS_ID } from '../../ftrace/ops.js';
import { DEFAULT_OPTIONS } from '../../ftrace/options.js';
import type { TracerName } from '../../ftrace/tracers/tracers.js';
import { announcedText, NO_ANNOUNCEMENTS } from '../testing/announced-text.js';
import { FakeThread } from '../testing/fake-thread.js';
import type { InstanceTracer } from './instance-tracer.js';
import { ProcessTracer } from './process-tracer.js';
import { TextTable } from './text-table.js';

const SETTINGS = { tracer: 'nop', options: DEFAULT_OPTIONS, maxDepth: 0, threshold: 0n } as const;
const TOP = [OPS_ID.TRACER];

/** A process of one thread with functions read, readv and write, and what is done to it. */
class Process {
  readonly table = new TextTable();
  readonly tracer = new ProcessTracer(this.table, SETTINGS, NO_ANNOUNCEMENTS);
  readonly thread = new FakeThread();

  constructor() {
    this.tracer.addThread(this.thread.connection);
    this.link(0, 'read', 'readv', 'write');
  }

  link(firstFunction: number, ...names: readonly string[]): void {
    this.tracer.link([{ thread: this.thread.connection, link: announcedText(firstFunction, names) }]);
  }

  trace(tracer: TracerName, instance: InstanceTracer = this.tracer.top): void {
    this.tracer.configure(instance, { ...instance.settings, tracer });
  }

  filter(...words: readonly string[]): void {
    const editor = new FilterEditor(this.tracer.names(), EMPTY_HASH);
    for (const word of words) editor.apply(parseFilterWord(word));
    this.tracer.setFilter(this.tracer.top, 'filter', editor.result());
  }
}

describe('the tracing of a process', () => {
  it('patches what the filter names while something is on, and makes NOPs of it again', () => {
    const process = new Process();
    process.filter('read*');
    assert.deepEqual([process.tracer.isOn, process.thread.posted], [false, []]);
    process.trace('function');
    assert.deepEqual([process.tracer.isOn, process.thread.calls()], [true, { 0: TOP, 1: TOP }]);
    process.trace('nop');
    assert.deepEqual([process.tracer.isOn, process.thread.calls()], [false, { 0: [], 1: [] }]);
  });

  it('has a thread know its tracer before the first patch, and leave it after the last', () => {
    const process = new Process();
    process.trace('function');
    assert.deepEqual(process.thread.types(), ['tracer', 'functions', 'patch']);
    process.trace('nop');
    assert.deepEqual(process.thread.types(), ['patch', 'tracer']);
  });

  it('has a latency tracer begin to measure when all patches are in place', () => {
    const process = new Process();
    process.trace('irqsoff');
    assert.deepEqual(
      process.thread.of('tracer').map(({ config }) => config.latency !== undefined),
      [false, true],
    );
    assert.deepEqual(process.thread.types(), ['tracer', 'functions', 'patch', 'tracer']);
  });

  it('patches a text that is linked later, and takes its functions into every filter', () => {
    const process = new Process();
    process.filter('read*');
    process.trace('function');
    process.tracer.subscribe(process.thread.connection, { id: -1, name: 'call', flags: 0, filter: ['w*'], notrace: [] });
    process.link(3, 'reader', 'writer');
    assert.deepEqual(process.thread.calls(), { 0: TOP, 1: TOP, 2: [-1], 3: TOP, 4: [-1] });
  });

  it('counts the subscribers of a function, and names a single one', () => {
    const process = new Process();
    const { tracer } = process;
    process.trace('function');
    tracer.setService('stack', { name: 'stack_trace_call', filter: { functions: new Set([1]), words: [] }, config: 0 });
    assert.deepEqual(
      [0, 1].map((n) => [tracer.records.references(n), tracer.trampoline(n)]),
      [
        [1, 'function_trace_call'],
        [2, undefined],
      ],
    );
    process.trace('nop');
    assert.equal(tracer.trampoline(1), 'stack_trace_call');
  });

  it('gives a new thread everything that is on, and drops what belonged to one that ended', () => {
    const process = new Process();
    process.trace('function');
    process.tracer.setService('stack', { name: 'stack_trace_call', config: 0 });
    const worker = new FakeThread(1);
    process.tracer.addThread(worker.connection);
    assert.deepEqual(worker.types(), ['tracer', 'service']);
    process.tracer.subscribe(worker.connection, { id: -1, name: 'call', flags: 0, filter: ['write'], notrace: [] });
    assert.equal(process.tracer.records.references(2), 3);
    process.tracer.removeThread(worker.connection);
    process.tracer.patch();
    assert.equal(process.tracer.records.references(2), 2);
  });

  it('as many instances trace functions as are wanted, each under an id that none had before', () => {
    const process = new Process();
    const { tracer, thread } = process;
    const instances = Array.from({ length: 40 }, (_, index) => tracer.addInstance(index + 1, SETTINGS));
    for (const instance of instances) process.trace('function', instance);
    const ids = instances.map(({ ops }) => ops.id);
    assert.equal(new Set(ids).size, 40);
    assert.deepEqual(thread.calls()[0], ids);
    process.trace('nop', instances[7]);
    process.trace('function', instances[7]);
    assert.deepEqual(thread.calls()[0], ids.with(7, Math.max(...ids) + 1));
  });

  it('a thousand subscribers: each function calls those that name it, then the tracer too, then nothing', () => {
    const process = new Process();
    const { tracer, thread } = process;
    const names = Array.from({ length: 1000 }, (_, n) => `f${n}`);
    process.link(3, ...names);
    const call = { name: 'call', flags: 0, notrace: [] };
    for (const [n, name] of names.entries()) {
      tracer.subscribe(thread.connection, { ...call, id: -1 - n, filter: [`${name}*`] });
    }
    const calls = thread.calls();
    assert.deepEqual(calls[3 + 777], [-1 - 7, -1 - 77, -1 - 777]);
    assert.deepEqual([calls[0], tracer.records.references(3 + 777)], [undefined, 3]);
    process.trace('function');
    assert.deepEqual([thread.calls()[0], thread.calls()[3 + 77]], [TOP, [...TOP, -1 - 7, -1 - 77]]);
    process.trace('nop');
    for (let n = 0; n < 1000; n++) tracer.unsubscribe(thread.connection, -1 - n);
    assert.deepEqual([...new Set(Object.values(thread.calls()).flat())], []);
    const numbers = thread.of('patch').flatMap(({ patches }) => patches.added.map(({ list }) => list));
    assert.ok(Math.max(...numbers) < 2100 && numbers.length > 3000, 'numbers are given again');
  });

  it('leaves out what only breakpoints reach unless it is named, and says how many those are', () => {
    const process = new Process();
    const { tracer, thread, table } = process;
    table.link(announcedText(3, ['early'], { isLoadedBefore: true }));
    const told: unknown[] = [];
    tracer.onUnnamed((...one) => told.push(one));
    process.trace('function');
    tracer.setService('profiler', { name: 'ftrace_graph_func', config: 0 });
    tracer.endService('profiler');
    assert.deepEqual(told, [
      [1, 'function'],
      [1, 'profiler'],
    ]);
    assert.equal(tracer.records.references(3), 0);
    process.filter('early');
    tracer.setService('profiler', { name: 'ftrace_graph_func', config: 0 });
    tracer.endService('profiler');
    assert.equal(told.length, 2, 'a filter names what is meant');
    assert.equal(tracer.records.references(3), 1);
    tracer.overheated(3);
    assert.equal(tracer.records.references(3), 0);
    process.filter('early', 'read');
    assert.equal(tracer.records.references(3), 1);
    assert.deepEqual(thread.calls(), { 0: TOP, 1: [], 2: [] });
  });

  it('ends with every site a NOP and nothing on', () => {
    const process = new Process();
    const { tracer, thread } = process;
    process.trace('function');
    tracer.setService('profiler', { name: 'ftrace_graph_func', config: 0 });
    tracer.subscribe(thread.connection, { id: -1, name: 'call', flags: 0, filter: [], notrace: [] });
    tracer.end();
    assert.equal(tracer.isOn, false);
    assert.deepEqual(thread.calls(), { 0: [], 1: [], 2: [] });
    assert.deepEqual(thread.of('service').at(-1), { type: 'service', kind: 'profiler', config: undefined });
  });
});
