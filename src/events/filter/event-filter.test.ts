import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent } from '../define.js';
import { array, one } from '../fields.js';
import { filterOf, systemFilterOf } from './event-filter.js';

const SWITCH = defineEvent('sched', 'sched_switch', {
  fields: { prev_pid: one('int'), next_comm: array('char', 16) },
  print: '""',
});
const WAKING = defineEvent('sched', 'sched_waking', { fields: { pid: one('int') }, print: '""' });

test('a filter is shown as it was written, but for white space at its end', () => {
  const { filter, refusal } = filterOf(SWITCH, ' prev_pid==1 \n');
  assert.equal(filter?.shown, ' prev_pid==1\n');
  assert.equal(filter?.program?.length, 1);
  assert.equal(refusal, undefined);
});

test('0 takes the filter away', () => {
  assert.deepEqual(filterOf(SWITCH, ' 0\n'), {});
});

test('a refused filter shows where and why, and filters nothing', () => {
  assert.deepEqual(filterOf(SWITCH, 'prev_pid == 1 && nxt == 2\n'), {
    filter: { shown: 'prev_pid == 1 && nxt == 2\n                     ^\nparse_error: Field not found\n\n' },
    refusal: {
      location: 'event filter parse error',
      message: 'Field not found',
      command: 'prev_pid == 1 && nxt == 2',
      position: 21,
      errno: 'EINVAL',
    },
  });
});

test('the filter of a system goes to its events that have the fields', () => {
  const [first, second] = systemFilterOf([SWITCH, WAKING], 'prev_pid > 5 || common_pid == 1\n');
  assert.equal(first?.filter?.shown, 'prev_pid > 5 || common_pid == 1\n');
  assert.equal(first?.filter?.program?.length, 2);
  assert.equal(
    second?.filter?.shown,
    "prev_pid > 5 || common_pid == 1\n^\nparse_error: Couldn't find or set field in one of a subsystem's events\n\n",
  );
  assert.equal(second?.filter?.program, undefined);
  assert.equal(second?.refusal?.position, 0);
  assert.deepEqual(systemFilterOf([SWITCH, WAKING], '0'), [{}, {}]);
});
