import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent } from '../events/define.js';
import { array, one } from '../events/fields.js';
import { type ProbeFile, parseProbe } from './parse-line.js';
import { wordsOf } from './probe-command.js';
import type { ProbeDefinition } from './probe-definition.js';
import { ProbeError } from './probe-errors.js';
import { matchesRemoval, probeLine } from './probe-listing.js';
import type { ProbeNeeds } from './probe-needs.js';

/** Functions by `PACKAGE:NAME`, with their parameters. */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  ':handle': ['req', 'res'],
  ':Server.close': [],
  ':app.get/items/{id}@12': ['request'],
  ':on-connection': ['$socket', 'café'],
  ':serve': ['a'],
  'express:serve': ['b'],
  'express:twice': [],
  'koa:twice': [],
  '@acme/http-kit:send': ['body'],
};

const SWITCH = defineEvent('sched', 'sched_switch', {
  fields: { prev_comm: array('char', 16), prev_pid: one('pid_t') },
  print: '""',
});

const env: ProbeNeeds = {
  symbols(module, name) {
    const named = Object.keys(FUNCTIONS).filter((key) => key.endsWith(`:${name}`));
    const own = named.filter((key) => key === `${module ?? ''}:${name}`);
    return own.length > 0 || module !== undefined ? own.length : named.length;
  },
  symbolAt: (address) => (address === 0x8000n ? 'handle' : undefined),
  params: (module, name) => FUNCTIONS[`${module ?? ''}:${name}`],
  file: (path) => (path === '/srv/app/shop.ts' || path === 'shop.ts' ? 'regular' : 'ENOENT'),
  event: (system, name) => (system === 'sched' && name === 'sched_switch' ? SWITCH : undefined),
  tracepoint: (name) => (name === 'sched_switch' ? { system: 'sched', name, args: ['prev', 'next'] } : undefined),
};

const parsed = (line: string, file: ProbeFile = 'kprobe_events'): ProbeDefinition => {
  const probe = parseProbe(file, wordsOf(line), env);
  assert.ok(probe !== undefined, `no probe: ${line}`);
  return probe;
};

/** What error_log shows of a refused line: `TEXT`, the line, the caret. */
function refused(line: string, file: ProbeFile = 'kprobe_events'): string {
  try {
    parseProbe(file, wordsOf(line), env);
  } catch (error) {
    assert.ok(error instanceof ProbeError);
    return `${error.errno} ${error.text}\n${error.command}\n${' '.repeat(error.position)}^`;
  }
  return assert.fail(`not refused: ${line}`);
}

test('registers of a call stand for what they would hold', { skip: process.arch !== 'x64' && 'they are those of x86-64' }, () => {
  const fetched = (line: string) => parsed(line).args.map(({ text, fetch, type }) => [text, fetch, type.name]);
  const argument = (index: number) => ({ kind: 'argument', index });
  assert.deepEqual(fetched('p handle %di a=%r9 +0(%si):string %ax'), [
    ['%di', argument(0), 'x64'],
    ['%r9', argument(5), 'x64'],
    ['+0(%si):string', { kind: 'dereference', of: argument(1), offset: 0 }, 'string'],
    ['%ax', { kind: 'immediate', value: 0n }, 'x64'],
  ]);
  assert.deepEqual(fetched('r handle %ax'), [['%ax', { kind: 'retval' }, 'x64']]);
  assert.match(refused('p handle %bx'), /^EINVAL Invalid register name/);
  assert.match(refused('r handle %di'), /^EINVAL Invalid register name/);
  assert.match(refused('p handle %di:string'), /^EINVAL String accepts only memory argument/);
});

test('the address of a function is as good as its name', () => {
  assert.deepEqual(parsed('p handle @0x8000').args[0]!.fetch, { kind: 'symbol', name: 'handle' });
  assert.match(refused('p handle @0x8001'), /^EINVAL Invalid memory address/);
});

test('a symbol may have characters that stand between the parts of a place', () => {
  const place = (line: string) => parsed(line).place;
  assert.deepEqual(place('p app.get/items/{id}@12'), { kind: 'symbol', symbol: 'app.get/items/{id}@12', offset: 0 });
  assert.deepEqual(place('p on-connection+0x1f'), { kind: 'symbol', symbol: 'on-connection', offset: 31 });
  assert.deepEqual(place('p @acme/http-kit:send+8'), { kind: 'symbol', module: '@acme/http-kit', symbol: 'send', offset: 8 });
  assert.equal(refused('p on-connectoin'), 'EINVAL Invalid probed address or symbol\np on-connectoin\n  ^');
});

test('the application’s function is meant where packages have one of the same name', () => {
  assert.deepEqual(parsed('p serve').place, { kind: 'symbol', symbol: 'serve', offset: 0 });
  assert.equal(refused('p twice'), 'EADDRNOTAVAIL The symbol is not unique\np twice\n  ^');
  assert.equal(probeLine(parsed('p koa:twice')), 'p:kprobes/p_koa_twice_0 koa:twice');
});

test('a decimal number behind a colon is a line: of a function, or of a file', () => {
  const lines = ['p handle:3', 'p shop.ts:120', 'p src/shop.ts:120', 'r:x handle:3'];
  assert.deepEqual(
    lines.slice(0, 3).map((line) => [parsed(line).place, parsed(line).event]),
    [
      [{ kind: 'function line', symbol: 'handle', line: 3 }, 'p_handle_3'],
      [{ kind: 'line', file: 'shop.ts', line: 120 }, 'p_shop_120'],
      [{ kind: 'line', file: 'src/shop.ts', line: 120 }, 'p_shop_120'],
    ],
  );
  assert.equal(refused('r:x handle:3'), 'EINVAL Retprobe address must be an function entry\nr:x handle:3\n    ^');
  assert.equal(refused('p nosuch:3'), 'ENOENT Invalid probed address or symbol\np nosuch:3\n  ^');
});

test('in dynamic_events a path is a place of uprobes, decimal a line, with 0x an offset', () => {
  const line = (text: string) => probeLine(parsed(text, 'dynamic_events'));
  assert.equal(line('p /srv/app/shop.ts:120 total'), 'p:uprobes/p_shop_120 /srv/app/shop.ts:120 total=total');
  assert.equal(line('p /srv/app/shop.ts:0x1f'), 'p:uprobes/p_shop_0x1f /srv/app/shop.ts:0x000000000000001f');
  assert.equal(line('p handle'), 'p:kprobes/p_handle_0 handle');
  assert.equal(
    refused('p /srv/app/shop.ts:0x1f(0x40)', 'uprobe_events'),
    `EINVAL Invalid reference counter offset: a file of JavaScript has no semaphores that count its probes\np /srv/app/shop.ts:0x1f(0x40)\n${' '.repeat(24)}^`,
  );
});

test('a value is found by names: of variables, of this, of properties', () => {
  const fetch = (text: string) => parsed(`${text.includes('$retval') ? 'r' : 'p'} handle ${text}`).args[0]!.fetch;
  const req = { kind: 'variable', name: 'req' } as const;
  assert.deepEqual(fetch('req->headers.host'), {
    kind: 'member',
    of: { kind: 'member', of: req, name: 'headers' },
    name: 'host',
  });
  assert.deepEqual(fetch('req[0]["x y"]'.replace(' ', '_')), {
    kind: 'member',
    of: { kind: 'member', of: req, name: '0' },
    name: 'x_y',
  });
  assert.deepEqual(fetch('this.name'), { kind: 'member', of: { kind: 'this' }, name: 'name' });
  assert.deepEqual(fetch('$retval->status'), { kind: 'member', of: { kind: 'retval' }, name: 'status' });
  assert.deepEqual(fetch('+8(req.body)'), { kind: 'dereference', of: { kind: 'member', of: req, name: 'body' }, offset: 8 });
  assert.deepEqual(fetch('@limits.max'), { kind: 'member', of: { kind: 'symbol', name: 'limits' }, name: 'max' });
  assert.deepEqual(fetch('@table+4'), { kind: 'dereference', of: { kind: 'symbol', name: 'table' }, offset: 4 });
  assert.equal(refused('p handle a=req->'), `EINVAL Invalid fetch argument\np handle a=req->\n${' '.repeat(14)}^`);
  assert.equal(refused('p handle req..x'), `EINVAL Invalid fetch argument\np handle req..x\n${' '.repeat(12)}^`);
});

test('a probe of a function’s end has what the function returned, and by name what it was called with', () => {
  assert.equal(refused('r handle $arg1'), `EINVAL Invalid $-variable specified\nr handle $arg1\n${' '.repeat(9)}^`);
  assert.equal(refused('r handle $arg*'), `EINVAL $arg* can be used only on function entry\nr handle $arg*\n${' '.repeat(9)}^`);
  assert.equal(
    probeLine(parsed('f handle%return $retval req this')),
    'f:fprobes/handle__exit handle%return arg1=$retval req=req arg3=this',
  );
});

test('an argument without a name has that of its variable or property, if it is free', () => {
  assert.equal(
    probeLine(parsed('p:x handle req res.id req.id $arg1 this')),
    'p:kprobes/x handle req=req id=res.id arg3=req.id arg4=$arg1 arg5=this',
  );
});

test('a JavaScript value without a type is shown as a value, all else as the kernel does', () => {
  const types = parsed('p handle req $arg2 req.url +0($stack) $stack1 \\5 \\"x" $comm this').args.map(({ type }) => type.name);
  assert.deepEqual(types, ['value', 'value', 'value', 'x64', 'x64', 'x64', 'string', 'string', 'value']);
});

test('$arg* is all parameters', () => {
  assert.equal(probeLine(parsed('f handle $arg*')), 'f:fprobes/handle__entry handle req=req res=res');
  assert.equal(probeLine(parsed('p:x on-connection a=\\1 $arg*')), 'p:kprobes/x on-connection a=\\1 arg2=$socket arg3=café');
  assert.equal(
    refused('p handle $arg* $arg*'),
    `EINVAL $arg* can be used only once in the parameters\np handle $arg* $arg*\n${' '.repeat(15)}^`,
  );
  assert.equal(
    refused('p handle+4 $arg*'),
    `EINVAL $arg* can be used only on function entry\np handle+4 $arg*\n${' '.repeat(11)}^`,
  );
  assert.equal(
    refused('p left-pad:pad $arg*'),
    `ENOENT No BTF entry for this probe point\np left-pad:pad $arg*\n${' '.repeat(15)}^`,
  );
});

test('function probes and tracepoint probes are those of later kernels', () => {
  const line = (text: string) => probeLine(parsed(text));
  assert.equal(line('f handle%return $retval'), 'f:fprobes/handle__exit handle%return arg1=$retval');
  assert.equal(line('f8:g/x handle%return'), 'f8:g/x handle%return');
  assert.equal(line('f:all express:*'), 'f:fprobes/all express:*');
  assert.equal(line('t sched_switch prev.pid $arg2'), 't:tracepoints/sched_switch sched_switch pid=prev.pid arg2=$arg2');
  assert.equal(line('t sched_switch $arg*'), 't:tracepoints/sched_switch sched_switch prev=prev next=next');
  assert.equal(
    refused('t sched_switch a=prev_pid'),
    'EINVAL Invalid fetch argument: prev_pid is no argument of sched:sched_switch, which has prev, next\nt sched_switch a=prev_pid\n                 ^',
  );
  assert.equal(refused('f handle+8'), 'EINVAL Invalid probed address or symbol\nf handle+8\n  ^');
  assert.equal(refused('f8 handle'), 'EINVAL Maxactive is not for kprobe\nf8 handle\n ^');
  assert.equal(refused('t sched/sched_switch'), 'EINVAL Invalid character in tracepoint name\nt sched/sched_switch\n       ^');
  assert.equal(refused('t nosuch'), 'ENOENT Tracepoint is not found\nt nosuch\n  ^');
});

test('fields of an event probe have the types of the event', () => {
  const { args, filter, place } = parsed('e:x sched.sched_switch $prev_comm $prev_pid c=$comm if prev_pid > 3', 'dynamic_events');
  assert.deepEqual(
    args.map(({ name, type }) => [name, type.name]),
    [
      ['arg1', 'string'],
      ['arg2', 'x64'],
      ['c', 'string'],
    ],
  );
  assert.equal(filter, 'prev_pid > 3');
  assert.deepEqual(place, { kind: 'event', system: 'sched', event: 'sched_switch' });
});

test('addresses of memory are refused when the line has no other mistake', () => {
  assert.equal(
    refused('p handle @12 x=@13 x=@14'),
    `EINVAL This argument name is already used\np handle @12 x=@13 x=@14\n${' '.repeat(19)}^`,
  );
  assert.equal(
    refused('p handle a=+0(@12)'),
    `EINVAL Invalid memory address: a value of JavaScript has no address\np handle a=+0(@12)\n${' '.repeat(14)}^`,
  );
});

test('a probe has no more arguments than a record can have', () => {
  const many = (count: number) => `p:x handle ${Array(count).fill('\\1:u8').join(' ')}`;
  assert.equal(parsed(many(128)).args.length, 128);
  assert.match(refused(many(129)), /^E2BIG Too many arguments are specified\n/);
  assert.match(refused(`p:x handle ${Array(7).fill('+0(req):u64[64]').join(' ')}`), /^E2BIG Event too big/);
});

test('other lines are none', () => {
  for (const line of ['x handle', 'p', 'e:x sched/sched_switch', 's:x int a']) {
    assert.equal(parseProbe('kprobe_events', wordsOf(line), env), undefined, line);
  }
  assert.equal(parseProbe('uprobe_events', wordsOf('p handle'), env), undefined);
});

test('a listed line defines the same probe, and removes it', () => {
  const lines = [
    'p:x handle req res.id req.id',
    'r5:x handle+0 $retval:s32',
    'p shop.ts:120 a=total',
    'p 0xffffffff81000000',
    'f:all express:*',
  ];
  for (const line of lines) {
    const probe = parsed(line);
    const listed = probeLine(probe);
    assert.equal(probeLine(parsed(listed)), listed);
    const [head, ...words] = wordsOf(listed);
    assert.ok(matchesRemoval(probe, ...(head!.slice(head!.indexOf(':') + 1).split('/') as [string, string]), words), listed);
  }
});
