import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HEADER_EVENT_FILE, headerPageFile } from './format-file.js';

test('header_page is what Linux 6.1 shows', () => {
  const expected =
    '\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n' +
    '\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n' +
    '\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n' +
    '\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n';
  assert.equal(headerPageFile(), expected);
});

test('header_page tells the size of larger sub-buffers', () => {
  assert.match(headerPageFile(16384), /char data;\toffset:16;\tsize:16368;/);
});

test('header_event is what Linux 6.1 shows', () => {
  assert.equal(
    HEADER_EVENT_FILE,
    '# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\tarray       :   32 bits\n\n' +
      '\tpadding     : type == 29\n\ttime_extend : type == 30\n\ttime_stamp : type == 31\n\tdata max type_len  == 28\n',
  );
});
