import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { TableData } from '../tables/table-data.js';
import { ClickHouse, clickhouseTable } from './clickhouse.js';
import type { Batch } from './rows.js';

const rows = new TableData('lost', 'fleet');
rows.add({ time: 1_795_000_000_000_000, pid: 7, program: 'a.js', release: '', thread: 0, events: null, reason: 'buffer' });
const LOST: Batch = {
  id: 'run-000001',
  groups: ['shop', "o'neil"].map((service) => ({ table: 'lost', date: '2026-11-27', service, host: 'box', rows })),
};

/** Speaks as much of ClickHouse's HTTP as is used. What it stores, and how it fails. */
async function double(t: TestContext, fail: (insert: number, url: URL) => 'unknown token' | 'lost answer' | undefined) {
  const stored: Record<string, unknown>[] = [];
  let inserts = 0;
  const server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://x');
    const body = await text(request);
    if (!url.searchParams.has('query')) {
      const batch = /batch = '((?:\\.|[^'])*)'/.exec(body)?.[1]?.replace(/\\(.)/g, '$1');
      // Types of one's own: rows come as JSON.
      if (body.startsWith('DESCRIBE')) response.end('time\tDateTime64(6)\n');
      else response.end(body.startsWith('CREATE') ? '' : `${stored.filter((row) => row['batch'] === batch).length}\n`);
      return;
    }
    const failure = fail(++inserts, url);
    if (failure === 'unknown token') {
      response.writeHead(404).end('Code: 115, e.displayText() = DB::Exception: Unknown setting insert_deduplication_token');
      return;
    }
    stored.push(
      ...body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    );
    if (failure === 'lost answer') request.socket.destroy();
    else response.end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => server.close());
  return { stored, target: `clickhouse+http://ann:secret@127.0.0.1:${(server.address() as AddressInfo).port}/?database=x` };
}

test('a group whose answer was lost is not stored twice, by the same collector or by the next one', async (t) => {
  const { stored, target } = await double(t, (insert) => (insert <= 2 ? 'lost answer' : undefined));
  const sink = new ClickHouse(target);
  assert.match(sink.name, /^ClickHouse at http:\/\/127\.0\.0\.1:\d+$/, 'without the password');
  await assert.rejects(sink.store(LOST));
  await assert.rejects(sink.store(LOST));
  await new ClickHouse(target).store(LOST);
  assert.deepEqual(
    stored.map(({ service }) => service),
    ['shop', "o'neil"],
  );
  const { time, events, reason } = stored[0]!;
  assert.deepEqual([time, events, reason], [1_795_000_000, null, 'buffer']);
});

test('a server that knows no tokens stores rows without', async (t) => {
  const { stored, target } = await double(t, (_, url) =>
    url.searchParams.has('insert_deduplication_token') ? 'unknown token' : undefined,
  );
  await new ClickHouse(target).store(LOST);
  assert.equal(stored.length, 2);
});

test('docs/fleet.md has the statement that makes a table', () => {
  assert.ok(readFileSync('docs/fleet.md', 'utf8').includes(clickhouseTable('calls')));
});
