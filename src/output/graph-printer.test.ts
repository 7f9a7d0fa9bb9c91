import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENTRY_RESUMED, EXIT_SUSPENDED, EXIT_UNWOUND } from '../events/ftrace-events.js';
import { ConsumedRecords } from './record-cursor.js';
import { RecordMerge } from './record-merge.js';
import { printed, Recording, viewOf } from './testing/recording.js';
import { TracePrinter } from './trace-printer.js';
import { TraceSeq } from './trace-seq.js';

const graph = viewOf('function_graph');

test('an entry followed by its exit is a leaf; others are braces', () => {
  const recording = new Recording()
    .enter(1000, 'handle', 0)
    .enter(2000, 'parse', 1)
    .leave(2500, 'parse', 1, 500)
    .enter(3000, 'render', 1)
    .enter(3100, 'parse', 2)
    .leave(3200, 'parse', 2, 100)
    .leave(14000, 'render', 1, 11000)
    .leave(20000, 'handle', 0, 19000);
  assert.deepEqual(printed(graph, recording), [
    ' 0)               |  handle() {',
    ' 0)   0.500 us    |    parse();',
    ' 0)               |    render [express]() {',
    ' 0)   0.100 us    |      parse();',
    ' 0) + 11.000 us   |    }',
    ' 0) + 19.000 us   |  }',
  ]);
});

test('what ended without its entry in the buffer is named', () => {
  const recording = new Recording().leave(5000, 'parse', 1, 4000).leave(6000, 'handle', 0, 6000);
  assert.deepEqual(printed(graph, recording), [' 0)   4.000 us    |    } /* parse */', ' 0)   6.000 us    |  } /* handle */']);
});

test('two threads keep their own nesting', () => {
  const first = new Recording(0).enter(1000, 'handle', 0).leave(4000, 'handle', 0, 3000);
  const second = new Recording(1, 4712).enter(2000, 'parse', 0).leave(3000, 'parse', 0, 1000);
  assert.deepEqual(printed(graph, first, second), [' 0)   3.000 us    |  handle();', ' 1)   1.000 us    |  parse();']);
});

test('arguments stand between the parentheses, results in a comment', () => {
  const view = viewOf('function_graph', { 'funcgraph-retval': true });
  const recording = new Recording()
    .enter(1000, 'handle', 0, 0)
    .enter(2000, 'parse', 1, 0, ['"a b"', '10', 'extra'])
    .leave(3000, 'parse', 1, 1000, 0, '{…}')
    .leave(4000, 'handle', 0, 3000, 0, 'undefined');
  const lines = [
    ' 0)               |  handle() {',
    ' 0)   1.000 us    |    parse(text="a b", limit=10, extra); /* ret={…} */',
    ' 0)   3.000 us    |  } /* handle ret=undefined */',
  ];
  assert.deepEqual(printed(view, recording), lines);
  assert.deepEqual(printed(graph, recording), [lines[0], lines[1]!.replace(/ \/\*.*/, ''), ' 0)   3.000 us    |  }']);
});

test('a coroutine that waits leaves the graph and comes back', () => {
  const recording = new Recording()
    .enter(1000, 'handle', 0, 0)
    .enter(1500, 'parse', 1)
    .leave(1600, 'parse', 1, 100)
    .leave(2000, 'handle', 0, 1000, EXIT_SUSPENDED)
    .enter(9000, 'handle', 0, ENTRY_RESUMED)
    .leave(9500, 'handle', 0, 500, EXIT_SUSPENDED)
    .enter(11000, 'handle', 0, ENTRY_RESUMED)
    .enter(11500, 'render', 1)
    .leave(11600, 'render', 1, 100, EXIT_UNWOUND)
    .leave(12000, 'handle', 0, 2500, EXIT_UNWOUND);
  assert.deepEqual(printed(graph, recording), [
    ' 0)               |  handle() {',
    ' 0)   0.100 us    |    parse();',
    ' 0)   1.000 us    |  } /* handle suspended */',
    ' 0)   0.500 us    |  handle(); /* resumed suspended */',
    ' 0)               |  handle() { /* resumed */',
    ' 0)   0.100 us    |    render [express](); /* unwound */',
    ' 0)   2.500 us    |  } /* handle unwound */',
  ]);
});

test('marks are comments inside the function that is open', () => {
  const recording = new Recording()
    .enter(1000, 'handle', 0)
    .enter(2000, 'parse', 1)
    .mark(2500, 'look here')
    .leave(3000, 'parse', 1, 1000);
  assert.deepEqual(printed(graph, recording), [
    ' 0)               |  handle() {',
    ' 0)               |    parse() {',
    ' 0)               |      /* look here */',
    ' 0)   1.000 us    |    }',
  ]);
});

/**
 * What a pipe prints of calls of one function, of which many were overwritten after it had begun to read; `shift` moves the
 * pages' ends.
 */
function overwrittenCalls(shift: number): { lines: readonly string[]; written: number } {
  const recording = new Recording(0, 4711, 8192).mark(1, 'x'.repeat(4 * shift));
  let written = 1;
  const call = (ts: number) => {
    recording.enter(ts, 'parse', 0, 0, [`${ts}`]).leave(ts + 1, 'parse', 0, 1, 0, `${ts}`);
    written += 2;
  };
  for (let ts = 1000; ts < 1010; ts++) call(ts);
  const merge = new RecordMerge([new ConsumedRecords(0, recording.reader)]);
  for (let ts = 1010; ts < 2000; ts++) call(ts);
  const printer = new TracePrinter(viewOf('function_graph', { 'funcgraph-retval': true }), { annotate: false });
  const seq = new TraceSeq();
  while (merge.take()) printer.print(seq, merge);
  return { lines: seq.toString().split('\n').slice(0, -1), written };
}

test('records that were lost between an entry and an exit are reported, and the two are not one call', () => {
  let between = 0;
  for (let shift = 0; shift < 24; shift++) {
    const { lines, written } = overwrittenCalls(shift);
    const lost = lines.flatMap((line) => /^CPU:0 \[LOST (\d+) EVENTS\]$/.exec(line)?.[1] ?? []);
    const leaves = lines.flatMap((line) => /parse\(text=(\d+)\); \/\* ret=(\d+) \*\//.exec(line)?.slice(1) ?? []);
    for (let i = 0; i < leaves.length; i += 2) assert.equal(leaves[i], leaves[i + 1]);
    assert.equal(lines.length - lost.length + leaves.length / 2 + Number(lost[0]), written);
    assert.equal(lost.length, 1);
    if (lines.some((line) => line.endsWith('{'))) between++;
  }
  assert.ok(between > 0, 'a page ended between an entry and its exit');
});
