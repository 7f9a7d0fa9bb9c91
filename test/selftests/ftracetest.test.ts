import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { cannotExec } from '../mount/mountable.js';

/** A few of `npm run selftest`'s tests, quick ones; the whole run is a person's to start. */
const SOME = ['00basic/trace_pipe.tc', 'ftrace/func_set_ftrace_file.tc', 'instances/instance.tc'];
const SOURCES = ['/usr/src/linux-source-6.1.tar.xz', '.cache/linux-source-6.1'];

const missing = (): string | false =>
  cannotExec('apt-get') ||
  cannotExec('strace') ||
  (SOURCES.some((path) => existsSync(path)) ? false : 'Debian’s linux-source-6.1 is not installed');

test('some of the kernel’s own tests pass, run by its ftracetest', { skip: missing() }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/selftest.mjs', ...SOME]);
  assert.match(stdout, /^3 of 3 pass$/m);
});
