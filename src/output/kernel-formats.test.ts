import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent, type EventDefinition, type EventFormat } from '../events/define.js';
import { address, dynamic, one } from '../events/fields.js';
import { printedText } from '../events/print/printed-text.js';
import { recordOf } from '../events/record-of.js';
import { asProbeLine, asSyscallLine } from './kernel-formats.js';

const define = (system: string, name: string): EventFormat => ({
  ...defineEvent(system, name, {
    fields: { __syscall_nr: one('int'), dfd: one('unsigned int'), filename: dynamic('char'), req: one('unsigned long') },
    print: '"other"',
  }),
  id: 300,
});

test('an entry shows its arguments, an exit its result', () => {
  assert.equal(
    asSyscallLine(define('syscalls', 'sys_enter_openat'))?.print,
    '"sys_openat(dfd: %lx, filename: \\"%s\\")", REC->dfd, __get_str(filename)',
  );
  assert.equal(asSyscallLine(define('syscalls', 'sys_exit_openat'))?.print, '"sys_openat -> 0x%lx", REC->ret');
});

test('other events keep their print format', () => {
  assert.equal(asSyscallLine(define('shop', 'sys_enter_openat')), undefined);
  assert.equal(asSyscallLine(define('syscalls', 'other')), undefined);
});

const dialect = {
  symbol: (value: number | bigint, withOffset: boolean) =>
    `f${BigInt.asUintN(64, BigInt(value)) & 0xfffn}${withOffset ? '+0x0/0x40' : ''}`,
  pointer: String,
  array: String,
};

const shown = (event: EventDefinition, values: Readonly<Record<string, unknown>>): string => {
  const numbered = { ...event, id: 30 };
  const bytes = recordOf(numbered, { pid: 7 }, values as never);
  return printedText(asProbeLine(numbered)!, dialect)({ bytes, at: 0, size: bytes.length });
};

const entry = defineEvent('kprobes', 'handle', {
  fields: { __probe_ip: address, id: one('s32'), url: dynamic('char'), req: dynamic('char') },
  print: '"(%lx) id=%d url=\\"%s\\" req=%s", REC->__probe_ip, REC->id, __get_str(url), __get_str(req)',
});

test('an entry shows where it was hit, texts in quotes and values without', () => {
  const values = { __probe_ip: -0x7f000000 + 7, id: -3, url: '/a b', req: '{id: 3}' };
  assert.equal(shown(entry, values), '(f7+0x0/0x40) id=-3 url="/a b" req={id: 3}');
});

test('what could not be fetched is a fault', () => {
  const values = { __probe_ip: 7, id: 0, url: new Uint8Array(0), req: new Uint8Array(0) };
  assert.equal(shown(entry, values), '(f7+0x0/0x40) id=0 url=(fault) req=(fault)');
  assert.equal(shown(entry, { ...values, url: '(fault)', req: '(fault)' }), '(f7+0x0/0x40) id=0 url=(fault) req=(fault)');
});

test('a return shows where to, and from what', () => {
  const event = defineEvent('kprobes', 'ret', {
    fields: { __probe_func: address, __probe_ret_ip: address, arg1: one('u64') },
    print: '"(%lx <- %lx) arg1=0x%Lx", REC->__probe_func, REC->__probe_ret_ip, REC->arg1',
  });
  assert.equal(shown(event, { __probe_func: 7, __probe_ret_ip: 9, arg1: 255 }), '(f9+0x0/0x40 <- f7) arg1=0xff');
});

test('an event probe shows the event that it is attached to', () => {
  const event = defineEvent('eprobes', 'x', { fields: { pid: one('u32') }, print: '" pid=%u", REC->pid' });
  assert.equal(shown({ ...event, attached: 'sched.sched_switch' }, { pid: 3 }), '(sched.sched_switch) pid=3');
});

test('a text in several places is several texts', () => {
  const event = defineEvent('kprobes', 'names', {
    fields: { __probe_ip: address, a: { type: 'char', shape: 'dynamics', count: 2, isAddress: false } },
    print: '"(%lx) a={\\"%s\\",\\"%s\\"}", REC->__probe_ip, __get_str(a[0]), __get_str(a[1])',
  });
  assert.equal(shown(event, { __probe_ip: 7, a: ['one', 'two'] }), '(f7+0x0/0x40) a={"one","two"}');
});

test('other events keep their print format', () => {
  assert.equal(
    asProbeLine({ ...defineEvent('shop', 'order', { fields: { id: one('u32') }, print: '"%u", REC->id' }), id: 3 }),
    undefined,
  );
});
