import assert from 'node:assert/strict';
import { test } from 'node:test';
import { programOf } from './program.js';

const COMMANDS: readonly (readonly [command: string, name: string, kind: string])[] = [
  ['node server.js', 'server.js', 'own'],
  ['/usr/bin/node /home/ann/shop/dist/main.js --port 80', 'dist/main.js', 'own'],
  ['node /srv/other/main.js', '/srv/other/main.js', 'own'],
  ['node -r ./early.js --import tsx --max-old-space-size=4096 src/server.ts', 'src/server.ts', 'own'],
  ['node --enable-source-maps -- server.js', 'server.js', 'own'],
  ['node22 inspect server.js', 'server.js', 'own'],
  ['node --watch server.js', 'server.js', 'watcher'],
  ['node -e setInterval(f,1)', 'node', 'own'],
  ['node', 'node', 'own'],
  ['node /home/ann/shop/node_modules/.bin/next dev', 'next', 'installed'],
  ['node /home/ann/shop/node_modules/@nestjs/cli/bin/nest.js start', '@nestjs/cli', 'installed'],
  ['node /home/ann/node_modules/.pnpm/tsx@4.23.15/node_modules/tsx/dist/cli.mjs src/server.ts', 'tsx', 'installed'],
  ['node /usr/lib/node_modules/npm/bin/npm-cli.js run dev', 'npm', 'manager'],
  ['node /home/ann/.yarn/releases/yarn-4.9.1.cjs dev', 'yarn', 'manager'],
  ['node /home/ann/.cache/node/corepack/v1/pnpm/10.1.0/bin/pnpm.cjs dev', 'pnpm', 'manager'],
  ['node /usr/lib/node_modules/pm2/lib/Daemon.js', 'pm2', 'manager'],
];

for (const [command, name, kind] of COMMANDS) {
  test(`${command} is ${name}, ${kind}`, () => {
    assert.deepEqual(programOf(command.split(' '), '/home/ann/shop'), { name, kind });
  });
}

const TITLES: readonly (readonly [title: string, name: string, kind: string])[] = [
  ['npm run dev', 'npm run dev', 'manager'],
  ['npm exec fentry ps', 'npm exec fentry ps', 'manager'],
  ['PM2 v5.3.0: God Daemon (/root/.pm2)', 'PM2 v5.3.0: God Daemon (/root/.pm2)', 'manager'],
  ['next-server (v15.1.0)', 'next-server (v15.1.0)', 'own'],
  ['node /home/ann/shop/server.js   ', 'server.js', 'own'],
  ['npmrc-server', 'npmrc-server', 'own'],
  ['', 'node', 'own'],
];

for (const [title, name, kind] of TITLES) {
  test(`a process with the title "${title}" is ${name}, ${kind}`, () => {
    assert.deepEqual(programOf([title], '/home/ann/shop'), { name, kind });
  });
}
