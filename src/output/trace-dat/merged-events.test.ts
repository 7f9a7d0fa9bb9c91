import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent, type EventFormat } from '../../events/define.js';
import { address, type FieldSpecs, one } from '../../events/fields.js';
import { eventFormatText, parseEventFormats } from './event-formats-file.js';
import { MergedEvents } from './merged-events.js';

const event = (name: string, id: number, fields: FieldSpecs, print = '"%d", REC->n'): EventFormat => ({
  ...defineEvent('shop', name, { fields, print }),
  id,
});
const n = { n: one('int') };

const ids = (merged: MergedEvents): string[] =>
  [...merged.systems()].flatMap(([system, events]) => events.map(({ name, id }) => `${system}:${name} ${id}`));

test('an event has one id in a recording, whatever it has in the processes', () => {
  const merged = new MergedEvents();
  const first = merged.add([event('order', 30, n), event('refund', 31, n)], 0);
  const second = merged.add([event('refund', 30, n), event('order', 31, n), event('visit', 32, n)], 1);
  assert.deepEqual(
    [...first.ids],
    [
      [30, 30],
      [31, 31],
    ],
  );
  assert.deepEqual(
    [...second.ids],
    [
      [30, 31],
      [31, 30],
      [32, 32],
    ],
  );
  assert.deepEqual(ids(merged), ['shop:order 30', 'shop:refund 31', 'shop:visit 32']);
});

test('an event with other fields, or another print format, is another event', () => {
  const merged = new MergedEvents();
  merged.add([event('order', 30, n)], 0);
  const second = merged.add([event('order', 30, { n: one('long') })], 1);
  const third = merged.add([event('order', 44, { n: one('long') }), event('visit', 31, n)], 2);
  merged.add([event('order', 30, n, '"%x", REC->n')], 3);
  assert.deepEqual([...second.ids], [[30, 31]]);
  assert.deepEqual(
    [...third.ids],
    [
      [44, 31],
      [31, 32],
    ],
  );
  assert.deepEqual(ids(merged), ['shop:order 30', 'shop:order_2 31', 'shop:visit 32', 'shop:order_3 33']);
});

test('fields that are printed as symbols are addresses', () => {
  const call = event('call', 30, { n: one('int'), site: address }, '"%d %pS", REC->n, (void *)REC->site');
  assert.deepEqual([...new MergedEvents().add([call], 1).addresses], [[30, [16]]]);
});

test('formats come back as they were written, but not one that was cut off', () => {
  const formats = [event('order', 30, n), event('refund', 31, n)];
  const text = formats.map(eventFormatText).join('');
  assert.deepEqual(parseEventFormats(text).map(eventFormatText).join(''), text);
  assert.deepEqual(
    parseEventFormats(text.slice(0, -3)).map(({ name }) => name),
    ['order'],
  );
  assert.deepEqual(parseEventFormats(''), []);
});
