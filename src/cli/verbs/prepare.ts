import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { grouped } from '../../base/grouped.js';
import { parseOptions } from '../arguments.js';
import { print } from '../output.js';
import type { FileProblem, Prepared } from '../prepare/prepare.js';
import { byteText, ProgressLine } from '../record/progress-line.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = { cache: { type: 'string' }, json: { type: 'boolean' } } as const;

/** Files that are listed by name; --json lists all. */
const LISTED = 20;
/** Milliseconds between two changes of the line about progress. */
const LINE_AFTER = 100;

function checkFolder(folder: string): string {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) throw new UsageError(`there is no folder ${folder}`);
  if (!stat.isDirectory()) throw new UsageError(`${folder} is not a folder: name the one that it is in`);
  return resolve(folder);
}

/** The cache that is filled: --cache, else the first of those that programs of this environment use. */
function cacheOf(option: string | undefined): string {
  const [first] = (process.env['FENTRY_PREPARED'] ?? '').split(':');
  const cache = option ?? first;
  if (!cache) throw new UsageError('say where: --cache DIR, or FENTRY_PREPARED=DIR in the environment');
  if (cache.includes(':')) throw new UsageError(`a ':' in ${cache} would separate two caches in FENTRY_PREPARED`);
  return resolve(cache);
}

const problemLine = ({ file, line, column, why }: FileProblem): string =>
  `  ${file}${line === undefined ? '' : `:${line}:${column}`}: ${why}\n`;

function text({
  cache,
  node,
  files,
  packages,
  functions,
  sourceBytes,
  bytes,
  codeBytes,
  ownCode,
  milliseconds,
  problems,
}: Prepared) {
  const more = problems.length - LISTED;
  return [
    `${grouped(files)} files (${byteText(sourceBytes)}), also of ${grouped(packages)} packages, with ${grouped(functions)} functions, in ${(milliseconds / 1000).toFixed(1)} s\n`,
    `${byteText(bytes)} in ${cache}, of which ${byteText(codeBytes)} are V8's code for Node ${node}\n`,
    ownCode === 0 ? "fentry's own code is missing: no process could be started\n" : '',
    problems.length === 0 ? '' : `\nnot prepared, so that they are read when a program loads them: ${grouped(problems.length)}\n`,
    ...problems.slice(0, LISTED).map(problemLine),
    more > 0 ? `  and ${grouped(more)} more: --json lists all\n` : '',
    `\nPrograms use it with FENTRY_PREPARED=${cache}\n`,
  ].join('');
}

export const prepare: Verb = {
  name: 'prepare',
  isPortable: true,
  synopsis: '[DIR]... [--cache DIR] [--json]',
  summary: 'fill a cache for the programs in a folder, so that their first start is fast',
  options: OPTIONS,
  help: `For the build of an image: it reads each file in DIR that Node may load, those of its packages too, and stores
what fentry needs of them, with V8's code for this Node. It runs none of them. DIR is the present folder if none is named.
Programs read the cache, and never write to it, where FENTRY_PREPARED names it: it may be on a read-only file system, and belong
to root. A file that has changed since, or is not in it, is read as without a cache.

  --cache DIR      the cache that is filled, the first of FENTRY_PREPARED by default; what was prepared in it before is replaced
  --json           print what was prepared, and all that was not, as JSON

It ends with 1 if nothing could be prepared, or programs would not use the cache.

Example: fentry prepare /app --cache /opt/fentry
`,
  async run(args) {
    const { values, words } = parseOptions(args, OPTIONS);
    const folders = (words.length === 0 ? ['.'] : words).map(checkFolder);
    const cache = cacheOf(values.cache);
    const { prepare } = await import('../prepare/prepare.js');
    const line = new ProgressLine();
    let shown = 0;
    const tell = (what: string): void => {
      if (performance.now() - shown < LINE_AFTER) return;
      shown = performance.now();
      line.show(`fentry: preparing: ${what}`);
    };
    try {
      const prepared = await prepare(folders, cache, tell);
      line.clear();
      print(values.json ? `${JSON.stringify(prepared, undefined, 2)}\n` : text(prepared));
      return prepared.files === 0 ? 1 : 0;
    } finally {
      line.clear();
    }
  },
};
