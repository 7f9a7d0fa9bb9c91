import { basename } from 'node:path';

const COPY = '/standalone/';

/**
 * The file that a build has copied to `path`; undefined if its name does not look like a copy. `output: 'standalone'` of Next.js
 * copies `.next/server/page.js` to `.next/standalone/APP/.next/server/page.js`, and leaves the map behind.
 */
export const copiedFrom = (path: string): string | undefined => {
  const at = path.lastIndexOf(COPY);
  if (at <= 0) return undefined;
  const build = path.slice(0, at);
  const copy = path.slice(at + COPY.length - 1);
  const folder = `/${basename(build)}/`;
  const inside = copy.indexOf(folder);
  return inside < 0 ? undefined : build + copy.slice(inside + folder.length - 1);
};
