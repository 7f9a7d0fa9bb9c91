import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { installedPackage } from '../support/installed-package.js';
import { Sandbox, until } from './support/program.js';

/** A server that asks itself 30 times, calls a function, and writes into the trace. */
const SERVER = `
const http = require('node:http');
const { writeFileSync } = require('node:fs');
function tax(x) { return x * 2; }
function price(x) { return tax(x) + 1; }
const server = http.createServer((request, response) => response.end(String(price(1))));
server.listen(0, '127.0.0.1', async () => {
  for (let i = 0; i < 30; i++) await (await fetch(\`http://127.0.0.1:\${server.address().port}/items\`)).text();
  server.close();
  server.closeAllConnections();
});
`;
const WANTED = ['--service', 'shop', '-e', 'http:server_request_end', '-l', 'price', '-l', 'tax', '--slow', '0'] as const;

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
};

interface Message {
  verify(value: object): string | null;
  fromObject(value: object): object;
  toObject(message: object, options: object): object;
}

/** The definitions of what is posted to each path, from OpenTelemetry's package. */
function definitions(folder: string): ReadonlyMap<string, Message> {
  const root = createRequire(import.meta.url)(join(folder, 'build/src/generated/root.js'));
  const { trace, logs, metrics } = root.opentelemetry.proto.collector;
  return new Map([
    ['/v1/traces', trace.v1.ExportTraceServiceRequest as Message],
    ['/v1/logs', logs.v1.ExportLogsServiceRequest as Message],
    ['/v1/metrics', metrics.v1.ExportMetricsServiceRequest as Message],
  ]);
}

/** OTLP's JSON has ids in hexadecimal, protobuf's JSON has bytes in base64. */
const withBytes = (key: string, value: unknown): unknown =>
  /^(trace|span|parentSpan)Id$/.test(key) ? Buffer.from(value as string, 'hex').toString('base64') : value;

test('requests, calls and losses reach a receiver of OTLP as its definitions have them, though it fails at first', async (t) => {
  const sandbox = new Sandbox(t);
  const posted: { readonly path: string; readonly body: Record<string, unknown> }[] = [];
  let refusals = 0;
  const receiver = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    if (++refusals <= 2) {
      response.writeHead(503).end('busy');
      return;
    }
    posted.push({ path: request.url!, body });
    response.end('{}');
  });
  const port = await listening(receiver);
  t.after(() => receiver.close());
  const server = sandbox.file('server.cjs', SERVER);
  const where = ['--to', `otlp+http://127.0.0.1:${port}`, '--spool', 'spool', '--interval', '1'];
  const { code, stderr } = await sandbox.fentry('collect', ...where, ...WANTED, '--', process.execPath, server);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /the OTLP receiver http:\/\/127\.0\.0\.1:\d+ does not take rows, .* answers 503: busy/);
  assert.match(stderr, /90 rows stored, 0 records lost/);
  const spans = posted.flatMap(({ body }) => JSON.parse(JSON.stringify(body)).resourceSpans ?? []);
  const names = spans.flatMap(({ scopeSpans }) => scopeSpans[0].spans.map(({ name }: { name: string }) => name)).sort();
  const thirty = (name: string): readonly string[] => Array.from({ length: 30 }, () => name);
  assert.deepEqual(names, [...thirty('GET /items'), ...thirty('price'), ...thirty('tax')]);

  const folder = installedPackage('@opentelemetry/otlp-transformer', '0.57.2');
  if (folder === undefined) return t.skip('npm cannot install @opentelemetry/otlp-transformer: bodies are not checked');
  for (const { path, body } of posted) {
    const message: Message = definitions(folder).get(path)!;
    const plain = JSON.parse(JSON.stringify(body), withBytes);
    const back: object = message.toObject(message.fromObject(plain), { longs: String, bytes: String });
    assert.deepEqual(JSON.parse(JSON.stringify(back)), plain, 'nothing has another name or another form');
  }
});

test('a receiver that never answers does not keep the command from ending, and its rows wait', async (t) => {
  const sandbox = new Sandbox(t);
  let bodies: unknown[] = [];
  let isSlow = true;
  const receiver = createServer(async (request, response) => {
    bodies.push(JSON.parse(await text(request)));
    if (!isSlow) response.end('{}');
  });
  const port = await listening(receiver);
  t.after(() => {
    receiver.close();
    receiver.closeAllConnections();
  });
  const server = sandbox.file('server.cjs', SERVER);
  const where = ['--to', `otlp+http://127.0.0.1:${port}`, '--spool', 'spool', '--interval', '1'];
  const { code, stderr } = await sandbox.fentry('collect', ...where, ...WANTED, '--', process.execPath, server);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /does not take rows, which wait meanwhile: http:\/\/127\.0\.0\.1:\d+ does not answer/);
  assert.match(stderr, /the next fentry collect with this target goes on/);
  [bodies, isSlow] = [[], false];
  const next = await sandbox.fentry('collect', ...where);
  assert.match(next.stderr, /90 rows stored, 0 records lost/);
  assert.ok(bodies.length > 0);
});

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

const hasClickHouse = (): boolean => {
  try {
    execFileSync('sh', ['-c', 'command -v clickhouse-server'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** A ClickHouse in a folder. */
interface ClickHouse {
  readonly port: number;
  readonly tcpPort: number;
  readonly child: ChildProcess;
}

/** Starts a ClickHouse whose cluster `fleet` has the servers at these ports. */
async function clickHouse(
  t: TestContext,
  folder: string,
  port: number,
  tcpPort: number,
  all: readonly number[],
): Promise<ClickHouse> {
  mkdirSync(join(folder, 'data'), { recursive: true });
  const shards = all.map((one) => `<shard><replica><host>127.0.0.1</host><port>${one}</port></replica></shard>`).join('');
  const config = `<yandex>
    <logger><level>error</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
    <http_port>${port}</http_port><tcp_port>${tcpPort}</tcp_port><listen_host>127.0.0.1</listen_host>
    <path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><mark_cache_size>67108864</mark_cache_size>
    <users_config>${folder}/users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
    <remote_servers><fleet>${shards}</fleet></remote_servers>
  </yandex>`;
  writeFileSync(join(folder, 'config.xml'), config);
  const users = `<yandex><profiles><default/></profiles><quotas><default/></quotas>
    <users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>`;
  writeFileSync(join(folder, 'users.xml'), users);
  const child = spawn('clickhouse-server', ['--config-file', join(folder, 'config.xml')], { stdio: 'ignore', cwd: folder });
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await ended;
  });
  await until(async () => (await ask(port, 'SELECT 1').catch(() => '')) === '1\n', 'ClickHouse answers');
  return { port, tcpPort, child };
}

const ask = async (port: number, sql: string): Promise<string> =>
  (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: sql })).text();

/** Passes requests on to a server, and keeps their statements. */
async function statementsBefore(t: TestContext, port: number): Promise<{ readonly port: number; readonly statements: string[] }> {
  const statements: string[] = [];
  const proxy = createServer((request, response) => {
    statements.push(new URL(request.url!, 'http://x').searchParams.get('query') ?? '');
    const { method, headers, url: path } = request;
    const onward = httpRequest({ port, host: '127.0.0.1', method, headers, path }, (answer) => {
      response.writeHead(answer.statusCode!);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  t.after(() => proxy.close());
  return { port: await listening(proxy), statements };
}

test('two ClickHouse servers have the rows, once each', {
  skip: !hasClickHouse() && 'there is no clickhouse-server',
}, async (t) => {
  const sandbox = new Sandbox(t);
  const tcp = [await freePort(), await freePort()];
  const [one, two] = await Promise.all(
    tcp.map(async (port, i) => clickHouse(t, join(sandbox.folder, `clickhouse${i}`), await freePort(), port, tcp)),
  );
  const server = sandbox.file('server.cjs', SERVER);
  for (const { port } of [one!, two!]) {
    const before = await statementsBefore(t, port);
    const where = ['--to', `clickhouse+http://127.0.0.1:${before.port}`, '--spool', 'spool', '--interval', '1'];
    const { code, stderr } = await sandbox.fentry('collect', ...where, ...WANTED, '--', process.execPath, server);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /90 rows stored, 0 records lost/);
    const inserts = before.statements.filter((one) => one.startsWith('INSERT'));
    assert.ok(inserts.length > 0 && inserts.every((one) => one.endsWith(' FORMAT RowBinary')), inserts.join('\n'));
    assert.equal(
      await ask(port, 'SELECT function, count() FROM fentry_calls GROUP BY function ORDER BY function'),
      'price\t30\ntax\t30\n',
    );
    assert.equal(
      await ask(port, "SELECT min(visitParamExtractString(fields, 'url')), count() FROM fentry_events WHERE service = 'shop'"),
      '/items\t30\n',
    );
    assert.equal(await ask(port, 'SELECT count() FROM fentry_calls WHERE abs(toInt64(now()) - toInt64(time)) < 600'), '60\n');
  }
  // As docs/fleet.md makes one table of all servers.
  await ask(one!.port, 'CREATE TABLE fleet_calls AS fentry_calls ENGINE = Distributed(fleet, default, fentry_calls, rand())');
  assert.equal(await ask(one!.port, 'SELECT count() FROM fleet_calls'), '120\n');
});
