import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseParameters, tracesFromStart } from './parameters.js';

test('parameters have the names and forms of the kernel’s command line', () => {
  const { parameters, errors } = parseParameters(
    ' ftrace=function_graph ftrace_filter=handle*,:mod:express trace_buf_size=8M  tracing_thresh=100\ttrace_options=funcgraph-args,nofuncgraph-irqs ',
  );
  assert.deepEqual(errors, []);
  assert.deepEqual(parameters, {
    ftrace: 'function_graph',
    ftrace_filter: ['handle*', ':mod:express'],
    trace_buf_size: 8 * 1024 * 1024,
    tracing_thresh: 100,
    trace_options: ['funcgraph-args', 'nofuncgraph-irqs'],
  });
  assert.equal(tracesFromStart(parameters), true);
});

test('nothing asked for is nothing traced', () => {
  assert.deepEqual(parseParameters(''), { parameters: {}, errors: [] });
  assert.equal(tracesFromStart({}), false);
  assert.equal(tracesFromStart({ ftrace: 'nop' }), false);
});

test('a value may hold an equals sign', () => {
  assert.deepEqual(parseParameters('record=/tmp/a=b').parameters, { record: '/tmp/a=b' });
});

test('a folder with blanks in its path is given as a URL', () => {
  assert.deepEqual(parseParameters('record=file:///tmp/a%20b').parameters, { record: '/tmp/a b' });
});

const bad: readonly (readonly [string, RegExp])[] = [
  ['ftrase=function', /unknown parameter; known are ftrace, ftrace_filter/],
  ['__proto__=1', /unknown parameter/],
  ['ftrace', /needs a value: ftrace=\.\.\./],
  ['ftrace=', /must be one of hwlat, function_graph, .*function, nop/],
  ['ftrace=graph', /must be one of hwlat, function_graph, .*function, nop/],
  ['ftrace_filter=', /words separated by commas/],
  ['ftrace_filter=,,', /words separated by commas/],
  ['ftrace_graph_max_depth=-1', /whole number/],
  ['ftrace_graph_max_depth=3x', /whole number/],
  ['trace_buf_size=0', /a size, as 4096K/],
  ['trace_buf_size=8T', /a size, as 4096K/],
  ['trace_buf_size=9G', /up to 4G/],
  ['tracing_thresh=1.5', /whole number/],
  ['record=', /needs a value/],
  ['record=file://elsewhere/x', /a path or a file: URL/],
];

for (const [text, message] of bad) {
  test(`${text} is told of and the other parameters hold`, () => {
    const { parameters, errors } = parseParameters(`${text} tracing_thresh=5`);
    assert.equal(errors.length, 1);
    assert.equal(errors[0]?.parameter, text);
    assert.match(errors[0]?.message ?? '', message);
    assert.equal((parameters as { tracing_thresh?: number }).tracing_thresh, 5);
  });
}
