import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { started, tracedAtWork } from './tracing.mjs';

const PORT = 17_380;
const SIZES = [0, 1, 1000, 65_536, 1_000_000];
const ROUNDS = 200;
const AT_A_TIME = 16;

const fetched = (agent, path, headers = {}) =>
  new Promise((resolve, reject) => {
    const request = get({ port: PORT, path, agent, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode, body: Buffer.concat(chunks) }));
    });
    request.on('error', reject);
  });

/** nginx and its files: each response has the bytes of its file, or of a range of it. */
export const nginx = {
  name: 'nginx',
  packages: ['nginx-light'],
  needs: ['/usr/sbin/nginx'],
  async examine(folder) {
    const files = SIZES.map((size) => randomBytes(size));
    for (const [i, bytes] of files.entries()) writeFileSync(join(folder, `file${i}`), bytes);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
    const config = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/errors; ${process.getuid() === 0 ? 'user root;' : ''}
      events { worker_connections 256; }
      http { access_log ${folder}/log; ${paths} server { listen 127.0.0.1:${PORT}; root ${folder}; gzip off; } }`;
    writeFileSync(join(folder, 'config'), config);
    const agent = new Agent({ keepAlive: true, maxSockets: AT_A_TIME });
    const isReady = async () => (await fetched(agent, '/file1')).status === 200;
    const server = await started('/usr/sbin/nginx', ['-p', folder, '-c', join(folder, 'config')], isReady);
    let all = 0;
    const one = async (i) => {
      const expected = files[i % files.length];
      const isRange = i % 3 === 0 && expected.length > 100;
      const { status, body } = await fetched(agent, `/file${i % files.length}`, isRange ? { range: 'bytes=7-90' } : {});
      const isRight = body.equals(isRange ? expected.subarray(7, 91) : expected) && status === (isRange ? 206 : 200);
      if (!isRight) throw new Error(`request ${i}: status ${status}, ${body.length} bytes`);
      all++;
    };
    const work = async () => {
      for (let i = 0; i < ROUNDS; i += AT_A_TIME) await Promise.all(Array.from({ length: AT_A_TIME }, (_, j) => one(i + j)));
    };
    const traced = await tracedAtWork({ pid: server.pid, folder, work });
    agent.destroy();
    const end = await server.stop();
    if (end !== 0) throw new Error(`nginx ended with ${end}`);
    return { ...traced, result: `${all.toLocaleString('en')} responses, byte for byte` };
  },
};
