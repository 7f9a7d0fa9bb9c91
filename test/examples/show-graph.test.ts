import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const { findGraph } = await import(pathToFileURL('examples/shop/show-graph.mjs').href);

const REPORT = [
  'version = 7',
  'node-7 [000] 1.000001: funcgraph_entry:                   |  dispatch() {',
  'node-7 [000] 1.000002: funcgraph_entry:                   |    showItem() {',
  'node-7 [000] 1.000003: funcgraph_entry:                   |      findItem() {',
  'node-7 [000] 1.000004: funcgraph_entry:        0.210 us   |        prepared();',
  'node-7 [000] 1.000005: funcgraph_exit:       + 11.310 us  |      }',
  'node-7 [000] 1.000006: funcgraph_exit:       + 12.500 us  |    }',
  'node-7 [000] 1.000007: funcgraph_exit:       + 14.000 us  |  }',
];

test('a graph is its lines without comm, CPU, time and the indentation of its callers', async () => {
  assert.deepEqual(await findGraph(REPORT, { name: 'showItem', depth: 9 }), [
    '                 |  showItem() {',
    '                 |    findItem() {',
    '        0.210 us |      prepared();',
    '     + 11.310 us |    }',
    '     + 12.500 us |  }',
  ]);
});

test('calls below the depth are left out, and their callers closed', async () => {
  assert.deepEqual(await findGraph(REPORT, { name: 'showItem', depth: 1 }), [
    '                 |  showItem() {',
    '     + 11.310 us |    findItem();',
    '     + 12.500 us |  }',
  ]);
});

test('the calls before can be skipped', async () => {
  const twice = [...REPORT, ...REPORT.map((line) => line.replace('prepared', 'again'))];
  const graph = await findGraph(twice, { name: 'showItem', depth: 9, skip: 1 });
  assert.equal(graph.filter((line: string) => line.includes('again')).length, 1);
});

test('a function that the report does not hold has no graph', async () => {
  assert.deepEqual(await findGraph(REPORT, { name: 'placeOrder', depth: 9 }), []);
});
