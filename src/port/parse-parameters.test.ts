import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tracesFromStart } from './parameters.js';
import { parseParameters } from './parse-parameters.js';

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

test('ftrace_dump_on_oops has no value, or names the buffers, a file, or both', () => {
  const dump = (text: string) => parseParameters(text).parameters.ftrace_dump_on_oops;
  assert.deepEqual(dump('ftrace_dump_on_oops'), { isOrigCpu: false });
  assert.deepEqual(dump('ftrace_dump_on_oops=orig_cpu'), { isOrigCpu: true });
  assert.deepEqual(dump('ftrace_dump_on_oops=2'), { isOrigCpu: true });
  assert.deepEqual(dump('ftrace_dump_on_oops=file:///tmp/%p.dump'), { isOrigCpu: false, file: '/tmp/%p.dump' });
  assert.deepEqual(dump('ftrace_dump_on_oops=orig_cpu,file:///tmp/a%20b'), { isOrigCpu: true, file: '/tmp/a b' });
});

test('instances can be several, switches stand alone', () => {
  const { parameters, errors } = parseParameters('trace_instance=a trace_instance=b alloc_snapshot stacktrace=0');
  assert.deepEqual(errors, []);
  const trace_instance = [
    { name: 'a', events: [] },
    { name: 'b', events: [] },
  ];
  assert.deepEqual(parameters, { trace_instance, alloc_snapshot: true, stacktrace: false });
});

test('a folder with blanks in its path is given as a URL', () => {
  assert.deepEqual(parseParameters('record=file:///tmp/a%20b').parameters, { record: '/tmp/a b' });
});

test('events can be asked for, of the top level and of instances', () => {
  const { parameters, errors } = parseParameters('trace_event=sched:sched_switch,!shop:order trace_instance=rare,gc');
  assert.deepEqual(errors, []);
  assert.deepEqual(parameters, {
    trace_event: [
      { pattern: 'sched:sched_switch', enable: true },
      { pattern: 'shop:order', enable: false },
    ],
    trace_instance: [{ name: 'rare', events: [{ pattern: 'gc', enable: true }] }],
  });
  assert.equal(tracesFromStart(parameters), true);
  assert.equal(tracesFromStart({ trace_instance: [{ name: 'a', events: [] }] }), false);
});

test('a value with blanks stands in double quotes, as on the kernel’s command line', () => {
  const trace_trigger = [{ pattern: ':order', triggers: ['traceoff:1 if price == 2'] }];
  const forms = [
    'trace_trigger="order.traceoff:1 if price == 2" alloc_snapshot',
    '"trace_trigger=order.traceoff:1 if price == 2" alloc_snapshot',
  ];
  for (const form of forms) assert.deepEqual(parseParameters(form).parameters, { trace_trigger, alloc_snapshot: true });
});

const bad: readonly (readonly [string, RegExp])[] = [
  ['ftrase=function', /unknown parameter; known are ftrace, ftrace_filter/],
  ['__proto__=1', /unknown parameter/],
  ['ftrace', /needs a value/],
  ['trace_event=', /words separated by commas/],
  ['trace_trigger=sched_switch', /EVENT\.TRIGGER/],
  ['record_events=[]]', /what fentry record and fentry stat pass on/],
  ['tp_printk_stop_on_boot', /write 0 to tracepoint_printk/],
  ['ftrace_boot_snapshot', /no end of its boot/],
  ['ftrace_dump_on_oops=here', /must be orig_cpu/],
  ['traceoff_on_warning=yes', /must have no value/],
  ['trace_instance=,sched:*', /needs a value/],
  ['trace_instance', /needs a value/],
  ['ftrace=', /must be one of hwlat, function_graph, .*function, nop/],
  ['ftrace=graph', /must be one of hwlat, function_graph, .*function, nop/],
  ['ftrace_filter=', /words separated by commas/],
  ['ftrace_filter=,,', /words separated by commas/],
  ['ftrace_graph_max_depth=-1', /whole number/],
  ['ftrace_graph_max_depth=3x', /whole number/],
  ['trace_buf_size=0', /a size like 4096K/],
  ['trace_buf_size=8T', /a size like 4096K/],
  ['trace_buf_size=9G', /up to 4G/],
  ['tracing_thresh=1.5', /whole number/],
  ['record=', /needs a value/],
  ['record=file://elsewhere/x', /a path or a file: URL/],
];

for (const [text, message] of bad) {
  test(`${text} is reported and the other parameters take effect`, () => {
    const { parameters, errors } = parseParameters(`${text} tracing_thresh=5`);
    assert.equal(errors.length, 1);
    assert.equal(errors[0]?.parameter, text);
    assert.match(errors[0]?.message ?? '', message);
    assert.equal((parameters as { tracing_thresh?: number }).tracing_thresh, 5);
  });
}
