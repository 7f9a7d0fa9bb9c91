import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const PACKAGE = 'linux-source-6.1';
const FOLDER = `${PACKAGE}/tools/testing/selftests/ftrace`;
const ARCHIVE = `usr/src/${PACKAGE}.tar.xz`;

const sh = (command, cwd) => {
  const { status, stderr } = spawnSync('sh', ['-ec', command], { cwd, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`${command}: ${stderr.trim()}`);
};

/**
 * The kernel's own tests of ftrace, as Debian has them, unpacked under `cache`: from the package that is installed, else
 * from one that apt downloads. Returns the folder that holds `ftracetest`.
 */
export const kernelSelftests = (cache) => {
  const found = join(cache, FOLDER);
  if (existsSync(join(found, 'ftracetest'))) return found;
  mkdirSync(cache, { recursive: true });
  const download = mkdtempSync(join(tmpdir(), 'fentry-selftest-'));
  try {
    let archive = `/${ARCHIVE}`;
    if (!existsSync(archive)) {
      console.log(`downloading ${PACKAGE} by apt`);
      sh(`apt-get download ${PACKAGE} && dpkg-deb -x ${PACKAGE}*.deb .`, download);
      archive = join(download, ARCHIVE);
    }
    sh(`tar -xf ${archive} -C ${cache} ${FOLDER}`, download);
  } finally {
    rmSync(download, { recursive: true, force: true });
  }
  return found;
};

/** One test as its file describes it. */
const readTest = (folder, file) => {
  const text = readFileSync(file, 'utf8');
  const field = (name) => new RegExp(`^#[ \\t]*${name}:(.*)`, 'm').exec(text)?.[1].trim() ?? '';
  return {
    name: relative(join(folder, 'test.d'), file),
    file,
    description: field('description'),
    onInstance: /\binstance\b/.test(field('flags')),
    // The tests' own function yield() calls ping.
    callsPing: /^[^#\n]*\b(?:ping|yield)\b/m.test(text),
  };
};

/** The tests under these folders of test.d, in the order in which ftracetest runs them. */
export const testsIn = (folder, names) =>
  names.flatMap((name) => {
    const at = join(folder, 'test.d', name);
    const files = name.endsWith('.tc') ? [at] : readdirSync(at, { recursive: true }).map((file) => join(at, file));
    return files
      .filter((file) => file.endsWith('.tc'))
      .sort()
      .map((file) => readTest(folder, file));
  });
