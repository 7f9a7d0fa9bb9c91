import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { TraceError } from '../../base/errno.js';
import { ListedSources } from '../../dump/listed-sources.js';
import { temporaryFolder } from '../../output/trace-dat/testing/recording.js';
import { TOKEN_HEADER } from './admit.js';
import { PageServer } from './page-server.js';

interface Answer {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** Asks a server that has a document and data; without headers of a browser, but those that are given. */
async function served(
  t: TestContext,
): Promise<{ ask(path: string, headers?: NodeJS.Dict<string>, method?: string): Promise<Answer>; token: string; host: string }> {
  const server = await PageServer.start([
    { path: '/', method: 'GET', asks: 'document', answer: (_request, response) => void response.end('the page') },
    { path: '/data', method: 'GET', asks: 'data', answer: (_request, response) => void response.end('secret') },
    {
      path: '/broken',
      method: 'GET',
      asks: 'data',
      answer() {
        throw new TraceError('ENOENT', 'it is not there');
      },
    },
  ]);
  t.after(() => server.close());
  const { host, port, hash } = new URL(server.link);
  const ask = async (path: string, headers: NodeJS.Dict<string> = {}, method = 'GET'): Promise<Answer> => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers } });
    asked.end();
    const [response] = await once(asked, 'response');
    let text = '';
    for await (const piece of response.setEncoding('utf8')) text += piece;
    return { status: response.statusCode, headers: response.headers, text };
  };
  return { ask, token: hash.slice(1), host };
}

test('the page comes to everybody on this machine, data only with the token', async (t) => {
  const { ask, token } = await served(t);
  assert.ok(Buffer.from(token, 'base64url').length >= 32, 'the token has 256 bits');
  assert.deepEqual((await ask('/')).text, 'the page');
  assert.equal((await ask('/data')).status, 403);
  assert.equal((await ask('/data', { [TOKEN_HEADER]: `${token}x` })).status, 403);
  assert.equal((await ask(`/data?token=${token}`)).status, 403);
  const answer = await ask('/data', { [TOKEN_HEADER]: token });
  assert.deepEqual([answer.status, answer.text], [200, 'secret']);
});

test('another name of the address, another site and unknown paths get nothing', async (t) => {
  const { ask, token } = await served(t);
  const mine = { [TOKEN_HEADER]: token };
  assert.equal((await ask('/data', { ...mine, host: 'rebound.example' })).status, 403);
  assert.equal((await ask('/', { host: 'rebound.example' })).status, 403);
  assert.equal((await ask('/data', { ...mine, origin: 'https://evil.example' })).status, 403);
  assert.equal((await ask('/data', { ...mine, 'sec-fetch-site': 'cross-site' })).status, 403);
  assert.equal((await ask('/elsewhere')).status, 403);
  assert.equal((await ask('/elsewhere', mine)).status, 404);
  assert.equal((await ask('/data', mine, 'POST')).status, 403);
  for (const odd of ['//evil.example/data', `http://evil.example/data`, '/data/../data', '/%64ata'])
    assert.equal((await ask(odd, mine)).status, 404, odd);
  const missing = await ask('/broken', mine);
  assert.deepEqual([missing.status, missing.text], [404, 'it is not there\n']);
});

test('every answer forbids what the page does not need, and allows no other site anything', async (t) => {
  const { ask } = await served(t);
  for (const answer of [await ask('/'), await ask('/data')]) {
    assert.match(String(answer.headers['content-security-policy']), /^default-src 'self'; .*frame-ancestors 'none'/);
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
  }
});

const errnoOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    return (error as TraceError).errno;
  }
  return 'none';
};

test('only ordinary files that are listed are read', (t) => {
  const folder = temporaryFolder(t);
  const file = (name: string, text = 'let a;\n'): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [listed, other, binary] = [file('listed.js'), file('other.js'), file('binary', 'a\0b')];
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  mkdirSync(join(folder, 'folder'));
  symlinkSync('/dev/zero', join(folder, 'zero'));
  const names = [
    listed,
    binary,
    pipe,
    join(folder, 'folder'),
    join(folder, 'zero'),
    join(folder, 'gone.js'),
    'relative.js',
    'node:fs',
  ];
  const sources = new ListedSources(names, Date.now() + 60_000);
  assert.deepEqual(sources.read(listed), { text: 'let a;\n', isNewer: false });
  assert.equal(
    errnoOf(() => sources.read(other)),
    'EACCES',
  );
  assert.equal(
    errnoOf(() => sources.read(`${folder}/folder/../other.js`)),
    'EACCES',
  );
  assert.equal(
    errnoOf(() => sources.read(`${folder}/./listed.js`)),
    'EACCES',
  );
  assert.equal(
    errnoOf(() => sources.read('')),
    'EACCES',
  );
  assert.equal(
    errnoOf(() => sources.read('relative.js')),
    'EACCES',
  );
  assert.equal(
    errnoOf(() => sources.read('node:fs')),
    'EACCES',
  );
  assert.equal(
    errnoOf(() => sources.read(join(folder, 'gone.js'))),
    'ENOENT',
  );
  for (const odd of ['pipe', 'folder', 'zero', 'binary'])
    assert.equal(
      errnoOf(() => sources.read(join(folder, odd))),
      'EINVAL',
      odd,
    );
  const now = Date.now() / 1000;
  utimesSync(listed, now + 120, now + 120);
  assert.equal(sources.read(listed).isNewer, true);
});
