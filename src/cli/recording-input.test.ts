import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordingInput } from './recording-input.js';
import { UsageError } from './verb.js';

test('a recording is named by -i or by a word, and is trace.dat otherwise', () => {
  assert.equal(recordingInput({ input: 'a.dat' }, []).file, 'a.dat');
  assert.equal(recordingInput({}, ['a.dat']).file, 'a.dat');
  assert.equal(recordingInput({}, []).file, 'trace.dat');
  assert.throws(() => recordingInput({ input: 'a.dat' }, ['b.dat']), UsageError);
});

test('cpus are a list of numbers and ranges, as trace-cmd takes them', () => {
  assert.equal(recordingInput({}, []).cpus, undefined);
  assert.deepEqual([...recordingInput({ cpu: ['0,2-4', '7'] }, []).cpus!], [0, 2, 3, 4, 7]);
  for (const bad of ['', 'x', '3-1', '1-2-3', '1-', '0-99999999999']) {
    assert.throws(
      () => recordingInput({ cpu: [bad] }, []),
      new UsageError(`--cpu must be cpus like 0,2-3, up to 65535, not '${bad}'`),
    );
  }
});
