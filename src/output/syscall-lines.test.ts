import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent, type EventFormat } from '../events/define.js';
import { dynamic, one } from '../events/fields.js';
import { asSyscallLine } from './syscall-lines.js';

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
