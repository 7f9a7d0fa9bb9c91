// Counts what a newcomer meets in src/: `node scripts/structure.mjs [TREE] [--list | --fragments]` for this tree, or for another
// checkout of it. Unit tests and their helpers are left out. --list: with the names behind each number; --fragments: only the
// files that are read with their one importer, and that importer.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { exportersOf, isForTests, readSources, targetsOf } from './sources.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean' }, fragments: { type: 'boolean' } },
});
const [root = fileURLToPath(new URL('..', import.meta.url))] = positionals;

/** Features of the kernel, and how files speak of them. */
const FEATURES = { livepatch: /livepatch/i, hwlat: /hwlat/i, 'stack tracer': /stack[-_ ]?tracer/i, kprobes: /kprobe/i };
/** A file of no more lines is a fragment if only one other file imports it. */
const FRAGMENT_LINES = 40;

const texts = new Map([...readSources(join(root, 'src'))].filter(([path]) => !isForTests(path)));
const files = [...texts.keys()];
const lineCount = (text) => text.split('\n').length - 1;
/** What each file imports of src/. */
const imports = new Map([...texts].map(([path, text]) => [path, new Set(targetsOf(path, text))]));

const importers = (path) => files.filter((other) => imports.get(other).has(path));
const fragments = files.filter((path) => lineCount(texts.get(path)) <= FRAGMENT_LINES && importers(path).length === 1);

if (options.fragments) {
  for (const path of fragments) console.log(`${path} <- ${importers(path)[0]}`);
  process.exit();
}

const print = (what, number, names) => {
  console.log(`${what}: ${number}`);
  if (options.list) for (const name of names) console.log(`  ${name}`);
};

for (const [feature, word] of Object.entries(FEATURES)) {
  const touched = files.filter((path) => word.test(path) || word.test(texts.get(path)));
  const folders = new Set(touched.map((path) => dirname(path)));
  print(`${feature}: files that speak of it, and their folders`, `${touched.length} in ${folders.size}`, touched);
}

const twice = [...exportersOf(texts)].filter(([, paths]) => paths.length > 1);
print(
  'exported type names that occur twice',
  twice.length,
  twice.map(([name, paths]) => `${name}: ${paths.join(', ')}`),
);

print(
  `files of at most ${FRAGMENT_LINES} lines with one importer`,
  fragments.length,
  fragments.map((path) => `${path} <- ${importers(path)[0]}`),
);
const all = [...texts.values()].reduce((sum, text) => sum + lineCount(text), 0);
print('lines of code', `${all} in ${files.length} files of ${new Set(files.map((path) => dirname(path))).size} folders`, []);

/** The arrows between folders: bit j of `to[i]` if a file of the i-th imports one of the j-th. */
function arrowsOf(folderOf) {
  const folders = [...new Set(files.map(folderOf))].filter((folder) => folder !== undefined).sort();
  const to = folders.map(() => 0);
  for (const [path, targets] of imports)
    for (const target of targets) {
      const [from, into] = [folders.indexOf(folderOf(path)), texts.has(target) ? folders.indexOf(folderOf(target)) : -1];
      if (from >= 0 && into >= 0 && from !== into) to[from] |= 1 << into;
    }
  return { folders, to };
}

const bits = (set) => {
  let count = 0;
  for (let left = set; left !== 0; left &= left - 1) count += 1;
  return count;
};

/**
 * How many arrows go upward in the order of folders in which the fewest do: the best of all orders, not of those that a page has.
 */
function fewestUpward(to) {
  // fewest[set]: the arrows out of these folders, which stand lowest, that go up to folders outside of them or later among them.
  const fewest = new Uint16Array(2 ** to.length).fill(0xffff);
  fewest[0] = 0;
  for (let set = 0; set < fewest.length; set++)
    for (let next = 0; next < to.length; next++) {
      const more = set | (1 << next);
      if (more !== set) fewest[more] = Math.min(fewest[more], fewest[set] + bits(to[next] & ~more));
    }
  return fewest.at(-1);
}

const roomOf = (path) => /^control\/([^/]+)\//.exec(path)?.[1];
const graphs = [
  ['arrows between the folders of src/', (path) => path.split('/')[0]],
  ['arrows between the rooms of src/control/', roomOf],
];
for (const [name, folderOf] of graphs) {
  const { folders, to } = arrowsOf(folderOf);
  if (folders.length === 0) continue;
  const arrows = to.reduce((sum, set) => sum + bits(set), 0);
  print(
    name,
    `${arrows} between ${folders.length}, ${fewestUpward(to)} of them upward in the best order`,
    folders.map((folder, i) => `${folder} -> ${folders.filter((_, j) => to[i] & (1 << j)).join(' ')}`),
  );
}
