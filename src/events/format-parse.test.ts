import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFile } from './format-file.js';
import { parseFormat } from './format-parse.js';
import { FTRACE_EVENTS } from './ftrace-events.js';

test('reads back every format that fentry writes', () => {
  for (const event of Object.values(FTRACE_EVENTS)) {
    const { system, name, id, fields, print } = event;
    const parsed = parseFormat(system, formatFile(event));
    assert.deepEqual({ ...parsed, fields: { ...parsed.fields } }, { system, name, id, fields, print });
  }
});

test('knows arrays by what follows the name', () => {
  const { fields } = parseFormat(
    'test',
    'name: x\nID: 7\nformat:\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n' +
      '\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:__data_loc char[] msg;\toffset:24;\tsize:4;\tsigned:0;\n' +
      '\tfield:const char * fmt;\toffset:32;\tsize:8;\tsigned:0;\n\tfield:char buf[];\toffset:40;\tsize:0;\tsigned:0;\n\nprint fmt: "%s", REC->comm\n',
  );
  assert.deepEqual(Object.keys(fields), ['comm', 'msg', 'fmt', 'buf']);
  assert.equal(fields['comm']?.array, '[16]');
  assert.equal(fields['msg']?.type, '__data_loc char[]');
  assert.equal(fields['fmt']?.type, 'const char *');
  assert.equal(fields['buf']?.array, '[]');
});

test('says what is wrong with a format it cannot read', () => {
  assert.throws(() => parseFormat('test', 'ID: 1\n'), /no line "name: NAME"/);
  assert.throws(() => parseFormat('test', 'name: x\n'), /event x has no line "ID: NUMBER"/);
  assert.throws(
    () => parseFormat('test', 'name: x\nID: 1\n\tfield:int a offset:1\n'),
    /field line that cannot be read: field:int a offset:1/,
  );
});
