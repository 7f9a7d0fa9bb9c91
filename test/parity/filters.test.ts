import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERRNO } from '../../src/base/errno.js';
import type { C_TYPES, Long } from '../../src/events/c-types.js';
import { defineEvent, type EventDefinition } from '../../src/events/define.js';
import { array, dynamic, type FieldSpecs, one } from '../../src/events/fields.js';
import { evaluate } from '../../src/events/filter/evaluate.js';
import { filterOf, NO_FILTER } from '../../src/events/filter/event-filter.js';
import type { Operand } from '../../src/events/filter/operand.js';
import { parseFilter } from '../../src/events/filter/parse-filter.js';
import { compiled } from '../../src/events/filter/testing/compiled.js';

const golden = (name: string): string =>
  readFileSync(new URL(`../../../test/parity/golden/${name}.txt`, import.meta.url), 'utf8');
const event = (fields: FieldSpecs): EventDefinition => defineEvent('facts', 'sample', { fields, print: '""' });

const TASK_RENAME = event({
  pid: one('int'),
  oldcomm: array('char', 16),
  newcomm: array('char', 16),
  oom_score_adj: one('short'),
});

/** The kernel's answer to one write: the errno's message, what `filter` shows, what error_log shows. */
function answer(of: EventDefinition, written: string): string {
  const { filter, refusal } = filterOf(of, `${written}\n`);
  const log =
    refusal === undefined
      ? ''
      : `${refusal.location}: error: ${refusal.message}\n  Command: ${refusal.command}\n${' '.repeat(11 + refusal.position)}^\n`;
  return `${refusal === undefined ? '' : ERRNO[refusal.errno][1]}\n${filter?.shown ?? NO_FILTER}${log}`;
}

test('filters are refused with the texts, carets and errnos of Linux', () => {
  const probe = event({
    __probe_ip: one('unsigned long'),
    a: one('s32'),
    b: one('u64'),
    c: one('u8'),
    g: one('s8'),
    d: dynamic('char'),
    q: array('u8', 4),
    o: array('u16', 3),
  });
  const facts = golden('filter-errors').split(/^--- /m).slice(1);
  assert.ok(facts.length > 150);
  for (const fact of facts) {
    const [, name, written, kernel] = /^(\S+) (.*)\n([\s\S]*)$/.exec(fact)!;
    assert.equal(answer(name === 'pe' ? probe : TASK_RENAME, written!), kernel, written);
  }
});

/** Both ways to apply a filter to values by the names of their fields. */
function passes(of: EventDefinition, filter: string, values: Readonly<Record<string, unknown>>): boolean {
  const program = parseFilter(of, filter);
  const read = (operand: Operand): unknown => values['name' in operand ? operand.name : operand.from];
  const result = evaluate(program, read);
  assert.equal(compiled(program)(read), result, `${filter}, compiled`);
  return result;
}

test('integers pass the filters that they pass in Linux', () => {
  const [shown, ...facts] = golden('filter-integers').trim().split('\n');
  const fields = shown!.split(' ').map((one) => /^((\w+)_\d)=(.*)$/.exec(one)!);
  const sample = event(Object.fromEntries(fields.map(([, name, type]) => [name!, one(type as keyof typeof C_TYPES)])));
  const values = Object.fromEntries(
    fields.map(([, name, , text]): [string, Long] => [name!, Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text!)]),
  );
  assert.ok(facts.length > 250);
  for (const fact of facts) {
    const [filter, count] = fact.split(' -> ') as [string, string];
    assert.equal(passes(sample, filter, values), count === '1', filter);
  }
});

test('texts pass the filters that they pass in Linux', () => {
  const dynamics = event({ d: dynamic('char'), e: dynamic('char') });
  const common = { cpu: 1, comm: 'xxxxxxxxxxxxxxx', common_pid: 42 };
  const facts = golden('filter-texts').trim().split('\n');
  assert.ok(facts.length > 150);
  for (const fact of facts) {
    const [, name, filter, count] = /^(?:\[(.*?)\] )?(.*) -> (\d)$/.exec(fact)!;
    const result =
      name === undefined
        ? passes(dynamics, filter!, { ...common, d: 'hello', e: '' })
        : passes(TASK_RENAME, filter!, { ...common, newcomm: name });
    assert.equal(result, count === '1', fact);
  }
});
