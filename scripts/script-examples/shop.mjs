// The shop of examples/shop with the traffic that scripts look for: requests on old and new connections, files that are there
// and that are not, short processes, signals, timers. `node shop.mjs` prints its port. It ends with its parent.
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '../../examples/shop/app.mjs';
import { openDatabase } from '../../examples/shop/database.mjs';

const LOAD = fileURLToPath(new URL('../../examples/shop/load.mjs', import.meta.url));
const folder = join(tmpdir(), `shop-${process.pid}`);

async function useFiles() {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'orders.txt'), 'x'.repeat(5000));
  await readFile(join(folder, 'orders.txt'));
  await stat(folder);
  await readFile(join(folder, 'missing.txt')).catch(() => {});
  await writeFile(join(folder, 'orders.tar.gz'), '');
  await rm(join(folder, 'orders.txt'));
  setTimeout(useFiles, 50);
}

const server = createApp(await openDatabase()).listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const load = spawn(process.execPath, [LOAD, '--url', `http://127.0.0.1:${port}`, '--connections', '2', '--seconds', '3600'], {
    stdio: 'ignore',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  process.once('disconnect', () => {
    load.kill();
    process.exit();
  });
  useFiles();
  setInterval(() => spawn('true').on('error', () => {}), 500);
  setInterval(
    () =>
      spawn('sleep', ['9'])
        .on('error', () => {})
        .kill('SIGKILL'),
    500,
  );
  setInterval(() => get({ port, path: '/items/3', agent: false }, (answer) => answer.resume()).on('error', () => {}), 200);
  process.send({ port });
});
