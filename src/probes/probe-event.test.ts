import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFile } from '../events/format-file.js';
import { parseKprobe } from './parse-kprobe.js';
import { wordsOf } from './probe-command.js';
import { probeEvent } from './probe-event.js';
import type { ProbeNeeds } from './probe-needs.js';

const env: ProbeNeeds = {
  symbols: () => 1,
  params: () => ['req', 'res'],
  file: () => 'ENOENT',
  event: () => undefined,
  tracepoint: () => undefined,
};

/** The part of the format file behind the common fields. */
const format = (line: string): string => {
  const event = probeEvent(parseKprobe(wordsOf(line), env, true)!);
  return formatFile({ ...event, id: 900 })
    .split('\n\n')
    .slice(1)
    .join('\n\n');
};

test('a value is a text without quotes; what follows it has no gap', () => {
  assert.equal(
    format('p:x handle flag=\\1:u8 req id=req.id:s32 names=res.names:string[2]'),
    `\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;
\tfield:u8 flag;\toffset:16;\tsize:1;\tsigned:0;
\tfield:__data_loc char[] req;\toffset:17;\tsize:4;\tsigned:1;
\tfield:s32 id;\toffset:21;\tsize:4;\tsigned:1;
\tfield:__data_loc char[][2] names;\toffset:25;\tsize:8;\tsigned:1;

print fmt: "(%lx) flag=%u req=%s id=%d names={\\"%s\\",\\"%s\\"}", REC->__probe_ip, REC->flag, __get_str(req), REC->id, __get_str(names[0]), __get_str(names[1])
`,
  );
});

test('addresses move when recordings are put together', () => {
  const event = probeEvent(parseKprobe(wordsOf('r:x handle a=\\1:u8 f=$retval:symbol g=$retval:symbol[2]'), env, true)!);
  assert.deepEqual(
    event.addresses.map(({ offset }) => offset),
    [8, 16, 25, 33, 41],
  );
});
