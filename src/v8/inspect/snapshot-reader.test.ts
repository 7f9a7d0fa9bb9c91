import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { getHeapSnapshot } from 'node:v8';
import { EDGE } from './heap-graph.js';
import { RETAINERS, SnapshotReader } from './snapshot-reader.js';

interface WholeSnapshot {
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly strings: readonly string[];
  readonly locations: readonly number[];
}

/** The fields of a node, of an edge and of a location. */
const [NODE_FIELDS, EDGE_FIELDS, LOCATION_FIELDS] = [7, 3, 4];

test('a snapshot is read piece by piece as it is read whole', async () => {
  const held = { 'a "quoted"\n\u2028\ud83d\ude00 name': 1 };
  const written = await text(getHeapSnapshot());
  assert.equal(Object.keys(held).length, 1);
  const whole = JSON.parse(written) as WholeSnapshot;
  const reader = new SnapshotReader(RETAINERS);
  for (let at = 0, size = 1; at < written.length; at += size, size = (size * 7) % 99_991)
    reader.write(written.slice(at, at + size));
  const graph = reader.end();
  const size = whole.nodes.length / NODE_FIELDS;
  assert.equal(graph.size, size);
  let edge = 0;
  const kept: readonly number[] = Object.values(EDGE);
  for (let node = 0; node < size; node++) {
    const [type, name, id, bytes, edges = 0] = whole.nodes.slice(node * NODE_FIELDS, (node + 1) * NODE_FIELDS);
    assert.deepEqual([graph.typeOf(node), graph.idOf(node), graph.sizeOf(node)], [type, id, bytes]);
    if (node % 97 === 0) assert.equal(graph.nameOf(node), whole.strings[name!]);
    const expected: (readonly number[])[] = [];
    for (let i = 0; i < edges; i++, edge += EDGE_FIELDS) {
      const [kind = 0, index = 0, to = 0] = whole.edges.slice(edge, edge + EDGE_FIELDS);
      if (kept.includes(kind)) expected.push([to / NODE_FIELDS, kind, index]);
    }
    const found: (readonly number[])[] = [];
    graph.forEdges(node, (...one) => found.push(one));
    assert.deepEqual(found, expected);
  }
  for (let at = 0; at < whole.locations.length; at += LOCATION_FIELDS) {
    const [to = 0, script, line, column] = whole.locations.slice(at, at + LOCATION_FIELDS);
    assert.deepEqual(graph.locationOf(to / NODE_FIELDS), { script, line, column });
  }
});

test('what is no whole snapshot is an error', () => {
  const reader = new SnapshotReader();
  reader.write('{"snapshot":{"meta":{"node_fields":["type"],"edge_fields":["a"],"location_fields":[]');
  assert.throws(() => reader.end(), /not complete/);
  assert.throws(() => reader.write('},"node_count":1,"edge_count":0},\n"nodes":['), /another way/);
});
