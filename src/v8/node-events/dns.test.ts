import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import nodeDns from 'node:dns';
import { once } from 'node:events';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { dns } from './dns.js';
import { recordCalls } from './testing/record-calls.js';

test('a lookup is seen from its start to its end, by callback and by promise', async () => {
  const calls = await recordCalls(dns, async () => {
    await promisify(nodeDns.lookup)('127.0.0.1.nip.invalid').catch(() => {});
    await nodeDns.promises.lookup('localhost', { family: 4 });
  });
  assert.deepEqual(
    calls.map(({ event, hostname, family, result }) => [event, hostname, event === 'lookup_start' ? family : result]),
    [
      ['lookup_start', '127.0.0.1.nip.invalid', 0],
      ['lookup_end', '127.0.0.1.nip.invalid', ''],
      ['lookup_start', 'localhost', 4],
      ['lookup_end', 'localhost', '127.0.0.1'],
    ],
  );
  const [first, firstEnd] = calls;
  assert.equal(first?.id, firstEnd?.id);
  // ENOTFOUND, or EAI_AGAIN on a machine without a network.
  assert.match(String(firstEnd?.error), /^(ENOTFOUND|EAI_AGAIN)$/);
  assert.equal(calls[3]?.error, '');
});

/** A name server that answers each question with `address`, if its name has no "none". */
async function nameServer(address: readonly number[]): Promise<{ port: number; close(): void }> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address: from }) => {
    const isKnown = !question.includes('none');
    const answer = isKnown ? [0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, ...address] : [];
    const asked = question.subarray(12, question.indexOf(0, 12) + 5);
    const head = [question[0]!, question[1]!, 0x81, isKnown ? 0x80 : 0x83, 0, 1, 0, isKnown ? 1 : 0, 0, 0, 0, 0];
    socket.send(Buffer.concat([Buffer.from(head), asked, Buffer.from(answer)]), port, from);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { port: socket.address().port, close: () => socket.close() };
}

test('a question to a name server is seen with the type of its records', async () => {
  const server = await nameServer([10, 1, 2, 3]);
  const resolver = new nodeDns.Resolver();
  resolver.setServers([`127.0.0.1:${server.port}`]);
  const resolve4 = promisify(resolver.resolve4.bind(resolver)) as (name: string) => Promise<string[]>;
  const answers: unknown[] = [];
  const calls = await recordCalls(dns, async () => {
    answers.push(await resolve4('shop.test'));
    await resolve4('none.test').catch((error) => answers.push(error.code));
  });
  server.close();
  assert.deepEqual(answers, [['10.1.2.3'], 'ENOTFOUND']);
  assert.deepEqual(
    calls.map(({ event, hostname, rrtype, result, error }) => [event, hostname, rrtype ?? result, error]),
    [
      ['resolve_start', 'shop.test', 'A', undefined],
      ['resolve_end', 'shop.test', '10.1.2.3', ''],
      ['resolve_start', 'none.test', 'A', undefined],
      ['resolve_end', 'none.test', '', 'ENOTFOUND'],
    ],
  );
});

test('afterwards the classes of requests are as before', async () => {
  const { binding } = process as unknown as { binding(name: string): Record<string, { prototype: object }> };
  const shapes = (): unknown =>
    ['GetAddrInfoReqWrap', 'GetNameInfoReqWrap', 'QueryReqWrap'].map((name) =>
      Object.getOwnPropertyDescriptors(binding('cares_wrap')[name]!.prototype),
    );
  const before = shapes();
  await recordCalls(dns, () => assert.notDeepEqual(shapes(), before));
  assert.deepEqual(shapes(), before);
});
