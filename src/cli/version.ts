import { existsSync, readFileSync } from 'node:fs';

/** package.json beside dist/, and beside build/ where the files of the sources are. */
const PLACES = ['../package.json', '../../../package.json'].map((path) => new URL(path, import.meta.url));

/** fentry's own version, from its package.json. */
export const VERSION: string = (
  JSON.parse(readFileSync(PLACES.find((place) => existsSync(place)) ?? PLACES[0]!, 'utf8')) as { version: string }
).version;
