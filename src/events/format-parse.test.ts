import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFile } from './format-file.js';
import { parseFormat } from './format-parse.js';
import { FTRACE_EVENTS } from './ftrace-events.js';

test('reads back every format that fentry writes', () => {
  for (const [name, event] of Object.entries(FTRACE_EVENTS)) {
    const parsed = parseFormat(formatFile(name, event));
    assert.equal(parsed.name, name);
    assert.equal(parsed.id, event.id);
    assert.equal(parsed.print, event.print);
    for (const [fieldName, field] of Object.entries(event.fields)) {
      const { type, offset, size, signed } = parsed.fields.get(fieldName)!;
      assert.deepEqual(
        { type, offset, size, signed },
        { type: field.type, offset: field.offset, size: field.size, signed: field.signed },
      );
    }
  }
});

test('knows arrays by their elements', () => {
  const { fields, common } = parseFormat(
    'name: x\nID: 7\nformat:\n\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n' +
      '\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:__data_loc char[] msg;\toffset:24;\tsize:4;\tsigned:0;\n' +
      '\tfield:const char * fmt;\toffset:32;\tsize:8;\tsigned:0;\n\tfield:char buf[];\toffset:40;\tsize:0;\tsigned:0;\n\nprint fmt: "%s", REC->comm\n',
  );
  assert.equal(common.get('common_pid')?.signed, true);
  assert.equal(fields.get('comm')?.elements, 16);
  assert.equal(fields.get('msg')?.type, '__data_loc char[]');
  assert.equal(fields.get('fmt')?.type, 'const char *');
  assert.equal(fields.get('buf')?.elements, 0);
});

test('says what is wrong with a format it cannot read', () => {
  assert.throws(() => parseFormat('ID: 1\n'), /no line "name: NAME"/);
  assert.throws(() => parseFormat('name: x\n'), /event x has no line "ID: NUMBER"/);
  assert.throws(
    () => parseFormat('name: x\nID: 1\n\tfield:int a offset:1\n'),
    /field line that cannot be read: field:int a offset:1/,
  );
});
