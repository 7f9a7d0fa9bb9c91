import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../verb.js';
import { startParameters } from './start-parameters.js';

test('options become parameters of the recorded process', () => {
  assert.equal(
    startParameters(
      { tracer: 'function', function: ['handle*', ':mod:express'], buffer: '512', 'max-graph-depth': '3' },
      '/tmp/x',
    ),
    'ftrace=function trace_buf_size=512K ftrace_filter=handle*,:mod:express ftrace_graph_max_depth=3 record=file:///tmp/x',
  );
});

test('without options everything is graphed, and the folder may have blanks in its path', () => {
  assert.equal(
    startParameters({}, '/tmp/a b'),
    'ftrace=function_graph trace_buf_size=32768K module_sites record=file:///tmp/a%20b',
  );
});

test('modules are functions, unless functions are named', () => {
  assert.match(startParameters({ own: true }, '/x'), / module_sites /);
  assert.doesNotMatch(startParameters({ function: ['f*'] }, '/x'), /module_sites/);
  assert.doesNotMatch(startParameters({ tracer: 'nop', events: [] }, '/x'), /module_sites/);
});

test('what FENTRY holds already stays', () => {
  assert.match(startParameters({}, '/x', 'instrument=app'), /^instrument=app ftrace=function_graph /);
});

test('a word that would become two is refused', () => {
  assert.throws(() => startParameters({ function: ['a b'] }, '/x'), UsageError);
  assert.throws(() => startParameters({ function: ['a,b'] }, '/x'), UsageError);
  assert.throws(() => startParameters({ buffer: '0' }, '/x'), /-b must be a whole number of at least 1/);
  assert.throws(() => startParameters({ buffer: '99999999' }, '/x'), /-b 99999999: at most 4194304/);
});

test('a tracer, an option or a clock that does not exist is refused before the command runs', () => {
  assert.throws(
    () => startParameters({ tracer: 'graph' }, '/x'),
    /-p graph: must be one of function_graph, function; did you mean function_graph\?/,
  );
  assert.throws(() => startParameters({ option: ['nofuncgraph-colour'] }, '/x'), /there is no such trace option/);
  assert.throws(() => startParameters({ clock: 'tai' }, '/x'), /-C tai: must be one of local, global, counter/);
  assert.throws(() => startParameters({ clock: 'mnoo' }, '/x'), /-C mnoo: must be one of .*; did you mean mono\?/);
  assert.throws(
    () => startParameters({ option: ['nofuncgraph-tial'] }, '/x'),
    /-O nofuncgraph-tial: .*; did you mean nofuncgraph-tail\?/,
  );
  assert.match(startParameters({ clock: 'counter' }, '/x'), / trace_clock=counter /);
  assert.match(startParameters({ clock: 'tsc2nsec' }, '/x'), / trace_clock=x86-tsc /);
  assert.match(startParameters({ option: ['nofuncgraph-irqs'] }, '/x'), /trace_options=nofuncgraph-irqs/);
});

test('events alone need no tracer; with options of functions they have one', () => {
  const events = [{ pattern: 'shop', enable: true, filter: 'id > 2', triggers: [] }];
  assert.equal(
    startParameters({ events }, '/x'),
    'ftrace=nop trace_buf_size=32768K record_events=%5B%7B%22pattern%22%3A%22shop%22%2C%22enable%22%3Atrue%2C%22filter%22%3A%22id%20%3E%202%22%2C%22triggers%22%3A%5B%5D%7D%5D record=file:///x',
  );
  assert.match(startParameters({ events, graph: ['handle'] }, '/x'), /^ftrace=function_graph .* record_events=/);
  assert.match(startParameters({ events, tracer: 'nop' }, '/x'), /^ftrace=nop /);
  assert.throws(() => startParameters({ tracer: 'nop' }, '/x'), /-p nop: must be one of function_graph, function/);
});
