import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const { firstGraph } = await import(pathToFileURL('examples/shop/show-graph.mjs').href);

const REPORT = [
  'version = 7',
  'node-7 [000] 1.000001: funcgraph_entry:                   |  dispatch() {',
  'node-7 [000] 1.000002: funcgraph_entry:                   |    showItem() {',
  'node-7 [000] 1.000003: funcgraph_entry:                   |      findItem() {',
  'node-7 [000] 1.000004: funcgraph_entry:        0.210 us   |        prepared();',
  'node-7 [000] 1.000005: funcgraph_exit:         1.310 us   |      }',
  'node-7 [000] 1.000006: funcgraph_exit:         2.500 us   |    }',
  'node-7 [000] 1.000007: funcgraph_exit:         4.000 us   |  }',
];

test('the first graph of a function is its lines without comm, CPU and time', async () => {
  assert.deepEqual(await firstGraph(REPORT, 'showItem', 9), [
    '                  |    showItem() {',
    '                  |      findItem() {',
    '       0.210 us   |        prepared();',
    '        1.310 us   |      }',
    '        2.500 us   |    }',
  ]);
});

test('calls below the depth are left out', async () => {
  const graph = await firstGraph(REPORT, 'showItem', 1);
  assert.equal(graph.filter((line: string) => line.includes('prepared')).length, 0);
  assert.equal(graph.length, 4);
});

test('a function that the report does not hold has no graph', async () => {
  assert.deepEqual(await firstGraph(REPORT, 'placeOrder', 9), []);
});
