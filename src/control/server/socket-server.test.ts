import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { listenOnSocket } from './socket-server.js';

test('a socket gets its name when it listens, and replaces one that an earlier process left', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fentry-socket-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, '1.sock');
  const { listen } = Server.prototype;
  let hadName: boolean | undefined;
  t.mock.method(Server.prototype, 'listen', function (this: Server, bound: string) {
    hadName = existsSync(path);
    const server = Reflect.apply(listen, this, [bound]);
    hadName ||= existsSync(path);
    return server;
  });

  const answer = (_request: unknown, response: { end(text: string): void }): void => response.end('here');
  const server = listenOnSocket(path, answer, () => {});
  t.after(() => server.close());
  assert.equal(hadName, false);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const got = await new Promise<string>((resolve, reject) =>
    get({ socketPath: path, agent: false }, (response) => resolve(text(response))).on('error', reject),
  );
  assert.equal(got, 'here');

  writeFileSync(join(folder, '2.sock'), 'left behind');
  const other = listenOnSocket(join(folder, '2.sock'), answer, () => {});
  t.after(() => other.close());
  assert.ok(statSync(join(folder, '2.sock')).isSocket());
  assert.deepEqual(readdirSync(folder).sort(), ['1.sock', '2.sock']);
});
