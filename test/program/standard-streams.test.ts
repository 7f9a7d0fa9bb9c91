import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const O_NONBLOCK = 0o4000;
/** Prints, without ever touching process.stdout, the flags of the pipe that is its stdout, once a control thread has had time to start. */
const PROGRAM = `
  const fs = require('node:fs');
  setTimeout(() => {
    const flags = /^flags:\\s+(\\d+)/m.exec(fs.readFileSync('/proc/self/fdinfo/1', 'utf8'))[1];
    fs.writeSync(1, flags);
  }, 500);
`;

test('the program’s standard streams are not opened for it: its stdout stays a blocking pipe', () => {
  const fentry = pathToFileURL('dist/index.js').href;
  for (const flags of [[], ['--import', fentry]]) {
    const { stdout } = spawnSync(process.execPath, [...flags, '-e', PROGRAM], {
      encoding: 'utf8',
      env: { ...process.env, FENTRY: 'trace_buf_size=1M' },
    });
    assert.equal(Number.parseInt(stdout, 8) & O_NONBLOCK, 0, `with ${flags.join(' ') || 'nothing'}`);
  }
});
