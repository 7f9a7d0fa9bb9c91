import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFile } from '../format-file.js';
import { parseFormat } from '../format-parse.js';
import { printedText } from '../print/printed-text.js';
import { recordOf } from '../record-of.js';
import { parseSyntheticEvent } from './parse-synthetic.js';
import { asLine, defineSynthetic, listedEvent } from './synthetic-event.js';

const parsed = (name: string, fields: string) => parseSyntheticEvent(name, fields, () => assert.fail('refused'));
const dialect = { symbol: String, pointer: String, array: String };

/** What Linux 6.1 shows. */
const FORMAT = `name: ev
ID: 940
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

\tfield:u64 lat;\toffset:8;\tsize:8;\tsigned:0;
\tfield:pid_t pid;\toffset:16;\tsize:4;\tsigned:1;
\tfield:char comm[];\toffset:24;\tsize:16;\tsigned:1;
\tfield:__data_loc char[] name;\toffset:280;\tsize:8;\tsigned:1;
\tfield:s8 bb;\toffset:288;\tsize:1;\tsigned:1;
\tfield:unsigned long addr;\toffset:296;\tsize:8;\tsigned:0;
\tfield:gfp_t gfp;\toffset:304;\tsize:4;\tsigned:0;
\tfield:bool yes;\toffset:312;\tsize:1;\tsigned:1;
\tfield:unsigned char tag[];\toffset:320;\tsize:4;\tsigned:0;
\tfield:__data_loc long[] stack;\toffset:576;\tsize:8;\tsigned:1;
\tfield:u16 last;\toffset:584;\tsize:2;\tsigned:0;

print fmt: "lat=%llu, pid=%d, comm=%s, name=%s, bb=%d, addr=%lu, gfp=%x, yes=%d, tag=%s, stack=%s, last=%u", REC->lat, REC->pid, REC->comm, __get_str(name), REC->bb, REC->addr, REC->gfp, REC->yes, REC->tag, __get_stacktrace(stack), REC->last
`;

test('the format file is the kernel’s', () => {
  const fields =
    'u64 lat; pid_t pid; char comm[16]; char name[]; s8 bb; unsigned long addr; gfp_t gfp; bool yes; unsigned char tag[4]; long stack[]; u16 last';
  assert.equal(formatFile({ ...defineSynthetic(parsed('ev', fields)), id: 940 }), FORMAT);
});

test('what is listed can be written again, but for texts, as in the kernel', () => {
  assert.equal(listedEvent(parsed('ev', 'u64 lat pid_t pid;')), 'ev\tu64 lat; pid_t pid');
  assert.equal(listedEvent(parsed('ev', 'char comm[16]; char name[]')), 'ev\tchar[16] comm; char[] name');
});

test('a record is read and printed by its format file, and by the kernel’s own way in `trace`', () => {
  const definition = defineSynthetic(parsed('ev', 's64 dd; s8 small; s32 neg; char comm[8]; char name[]; u16 last'));
  const event = { ...definition, id: 20 };
  const values = { dd: -7, small: -1, neg: -2, comm: 'a longer text', name: 'any length at all', last: 65535 };
  const bytes = recordOf(event, { pid: 7 }, values as never);
  const record = { bytes, at: 0, size: bytes.length };
  const read = parseFormat('synthetic', formatFile(event));
  assert.equal(printedText(read, dialect)(record), 'dd=-7, small=-1, neg=-2, comm=a longe, name=any length at all, last=65535');
  assert.equal(
    printedText(asLine(read), dialect)(record),
    'dd=-7 small=255 neg=-2 comm=a longe name=any length at all last=65535',
  );
});
