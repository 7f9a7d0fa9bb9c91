import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A name of this build, from all of its sources: files of two builds do not fit together. */
export function buildName() {
  const hash = createHash('sha256');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const sources = readdirSync('src', { recursive: true }).filter((name) => /\.(?:tsx?|css|html|svg)$/.test(name));
  const builders = [
    'scripts/build.mjs',
    ...readdirSync('scripts/build')
      .sort()
      .map((name) => join('scripts/build', name)),
  ];
  for (const file of ['package-lock.json', ...builders, ...sources.sort().map((name) => join('src', name))]) {
    hash.update(`${file}\0`).update(readFileSync(file));
  }
  return `${version}-${hash.digest('hex').slice(0, 12)}`;
}
