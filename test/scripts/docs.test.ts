import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

/** Pages whose words in backquotes are names of the source. The others speak of what a user types and reads. */
const PAGES_ON_THE_SOURCE = [
  'CONTRIBUTING.md',
  'src/README.md',
  'test/README.md',
  'docs/architecture.md',
  'docs/kernel-map.md',
  'docs/tracers.md',
  'docs/native.md',
];

/** Pages that name files of other trees: the reader's program, and the tree as it was. */
const PAGES_ON_OTHER_TREES = new Set(['docs/first-minute.md', 'CHANGELOG.md']);

/** Names with a capital inside that belong to V8, Node, the kernel or other programs, and that fentry's code does not mention. */
const OTHERS_NAMES = new Set(['Builtins_InterpreterEntryTrampoline', 'SetReturnAddressLocationResolver', 'rN']);

const FILES = spawnSync('git', ['ls-files'], { encoding: 'utf8' }).stdout.trim().split('\n');
const PAGES = FILES.filter((path) => path.endsWith('.md') && !path.includes('/fixtures/'));
const skip = FILES.length < 2 ? 'no git here: the files of the tree are not known' : false;

/** A page without its fenced blocks. */
const proseOf = (page: string): string =>
  readFileSync(page, 'utf8').replace(/^```[\s\S]*?^```$/gm, (block) => block.replace(/[^\n]/g, ''));

/** Each code span of a page, with its 1-based line. */
const spansOf = (page: string): { text: string; line: number }[] =>
  proseOf(page)
    .split('\n')
    .flatMap((text, index) => [...text.matchAll(/`([^`]+)`/g)].map((match) => ({ text: match[1]!, line: index + 1 })));

const isFile = (path: string): boolean => FILES.includes(path);
const isPath = (path: string): boolean => isFile(path) || FILES.some((file) => file.startsWith(`${path.replace(/\/$/, '')}/`));

/** Whether a file of the tree is called that, or its path ends with it. */
const endsPath = (path: string): boolean => FILES.some((file) => `/${file}`.endsWith(`/${path}`));

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const anchorsOf = (page: string): Set<string> =>
  new Set([...proseOf(page).matchAll(/^#+ (.*)$/gm)].map((match) => anchorOf(match[1]!)));

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '');

/** All names that the code has: of the text of each source, comments left out. */
const namesOf = (sources: readonly string[]): Set<string> =>
  new Set(sources.flatMap((path) => withoutComments(readFileSync(path, 'utf8')).match(/[A-Za-z_$][\w$]*/g) ?? []));

/** Whether a word is written as TypeScript's names are: `EventRegistry.replace`, `setService(...)`, `OPS_ID`. */
const isNameOfSource = (text: string): boolean =>
  /^[A-Za-z][\w.]*(\(.*\))?$/.test(text) && /[a-z][A-Z]|^[A-Z][a-z]+$|^[A-Z]+(_[A-Z]+)+$/.test(text);

test('every link of a page leads to a file of the tree, and to a heading of it', { skip }, () => {
  const wrong = PAGES.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]*))?\)/g)].flatMap(([, path = '', anchor]) => {
      const target = path === '' ? page : normalize(join(dirname(page), path));
      if (!isPath(target)) return [`${page}: ${path} is no file`];
      if (anchor === undefined || !target.endsWith('.md') || anchorsOf(target).has(anchor)) return [];
      return [`${page}: ${target} has no heading #${anchor}`];
    }),
  );
  assert.deepEqual(wrong, []);
});

test('every path that a page names is there', { skip }, () => {
  const wrong = PAGES.filter((page) => !PAGES_ON_OTHER_TREES.has(page)).flatMap((page) =>
    spansOf(page).flatMap(({ text, line }) =>
      text
        .split(/\s/)
        .filter((word) => /^(?:src|test|scripts|docs|bench)\/[\w./-]+$/.test(word) && !isPath(word))
        .map((word) => `${page}:${line}: ${word}`),
    ),
  );
  assert.deepEqual(wrong, []);
});

test('every file that a page on the source names is there', { skip }, () => {
  const wrong = PAGES_ON_THE_SOURCE.flatMap((page) =>
    spansOf(page)
      .filter(({ text }) => /^[a-z\d./-]{2,}\.(?:ts|mjs)$/.test(text) && !/^x\./.test(text) && !endsPath(text))
      .map(({ text, line }) => `${page}:${line}: ${text}`),
  );
  assert.deepEqual(wrong, []);
});

test('every folder that a map of folders names is there', { skip }, () => {
  const wrong = ['src/README.md', 'test/README.md'].flatMap((page) =>
    spansOf(page)
      .filter(({ text }) => /^[a-z\d][\w./-]*\/$/.test(text) && !FILES.some((file) => `/${file}`.includes(`/${text}`)))
      .map(({ text, line }) => `${page}:${line}: ${text}`),
  );
  assert.deepEqual(wrong, []);
});

test('a map of folders has a line for each folder', { skip }, () => {
  const wrong = ['src', 'src/control', 'test'].flatMap((map) => {
    const folders = new Set(
      FILES.filter((file) => file.startsWith(`${map}/`)).map((file) => file.slice(map.length + 1).split('/')),
    );
    const names = new Set([...folders].filter((parts) => parts.length > 1 && parts[0] !== 'testing').map(([folder]) => folder!));
    const page = readFileSync(map === 'src/control' ? 'src/README.md' : `${map}/README.md`, 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('|'));
    return [...names]
      .filter((name) => !rows.some((row) => row.split('|')[1]!.includes(`\`${name}/\``)))
      .map((name) => `${map}/${name}`);
  });
  assert.deepEqual(wrong, []);
});

test('every name of the source that these pages have is in the code', { skip }, () => {
  const names = namesOf(
    FILES.filter((path) => /^(?:src|test|scripts|bench)\/.*\.(?:ts|mjs|cjs)$/.test(path) && existsSync(path)),
  );
  const wrong = PAGES_ON_THE_SOURCE.flatMap((page) => {
    // The left column of the map has the kernel's words.
    const isOurs = ({ text, line }: { text: string; line: number }): boolean =>
      !(page === 'docs/kernel-map.md' && proseOf(page).split('\n')[line - 1]!.split('|')[1]?.includes(`\`${text}\``));
    return spansOf(page)
      .filter(({ text }) => isNameOfSource(text))
      .filter(isOurs)
      .flatMap(({ text, line }) =>
        text
          .replace(/\(.*$/, '')
          .split('.')
          .filter((name) => !names.has(name) && !OTHERS_NAMES.has(name))
          .map((name) => `${page}:${line}: ${name}`),
      );
  });
  assert.deepEqual(wrong, []);
});

test('a name that is followed by its file is in that file', { skip }, () => {
  const wrong = PAGES_ON_THE_SOURCE.flatMap((page) =>
    [...proseOf(page).matchAll(/`([A-Za-z][\w.]*)(?:\([^`]*\))?`(?: \(|, )`([\w./-]+\.(?:ts|mjs))`/g)].flatMap(
      ([, name = '', path = '']) => {
        const last = name.split('.').at(-1)!;
        const found = FILES.filter((file) => file === path || file.endsWith(`/${path}`));
        const isThere = found.some((file) => new RegExp(`\\b${last}\\b`).test(withoutComments(readFileSync(file, 'utf8'))));
        return found.length > 0 && /[A-Z]/.test(name) && !isThere ? [`${page}: ${name} is not in ${path}`] : [];
      },
    ),
  );
  assert.deepEqual(wrong, []);
});

test('a member that these pages name is one of its type', { skip }, () => {
  const sources = FILES.filter((path) => /^src\/.*(?<!\.test)\.ts$/.test(path) && existsSync(path)).map((path) =>
    withoutComments(readFileSync(path, 'utf8')),
  );
  const wrong = PAGES_ON_THE_SOURCE.flatMap((page) =>
    spansOf(page).flatMap(({ text, line }) => {
      const [, type = '', member = ''] = /^([A-Z]\w*[a-z]\w*)\.(\w+)/.exec(text) ?? [];
      const declares = new RegExp(`\\b(?:interface|class|type) ${type}\\b`);
      const declaring = type === '' ? [] : sources.filter((source) => declares.test(source));
      const isMember = declaring.some((source) => new RegExp(`\\b${member}\\b`).test(source));
      return declaring.length > 0 && !isMember ? [`${page}:${line}: ${text}`] : [];
    }),
  );
  assert.deepEqual(wrong, []);
});

test('the trees of objects in docs/architecture.md name types that there are', { skip }, () => {
  const names = namesOf(FILES.filter((path) => /^src\/.*\.ts$/.test(path) && existsSync(path)));
  const blocks = readFileSync('docs/architecture.md', 'utf8').match(/^```\n[\s\S]*?^```$/gm) ?? [];
  const types = blocks.flatMap((block) => block.match(/\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b/g) ?? []);
  assert.deepEqual(
    types.filter((name) => !/^(?:Java|Assembly)Script$/.test(name) && !names.has(name)),
    [],
  );
});
