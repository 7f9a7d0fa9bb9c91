import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layoutEvent, layoutFrom, layoutOf, OBJECT } from './message-layout.js';

/** The fields' values of a message. */
const valuesOf = (first: unknown, message: unknown): unknown[] =>
  Object.entries(layoutEvent(layoutOf(first)).fields).flatMap(([name, { get }]) => (name === OBJECT ? [] : [get(message)]));
const misfitOf = (first: unknown, message: unknown): unknown => valuesOf(first, message).at(-1);

test('the properties of the first message are the fields, by their values', () => {
  const first = { id: 7, big: 12n, paid: true, price: 1.5, customer: 'Ann', cart: { items: 2 }, none: null };
  const { fields, print } = layoutEvent(layoutOf(first));
  assert.deepEqual(
    Object.entries(fields).map(([name, { type }]) => `${type} ${name}`),
    ['u32 object', 's64 id', 's64 big', 'bool paid', 'char price', 'char customer', 'char cart', 'char none', 'char misfit'],
  );
  assert.equal(
    print,
    '"id=%lld big=%lld paid=%d price=%s customer=%s cart=%s none=%s%s", REC->id, REC->big, REC->paid, __get_str(price), __get_str(customer), __get_str(cart), __get_str(none), __get_str(misfit)',
  );
  assert.deepEqual(valuesOf(first, first), [...Object.values(first), '']);
});

test('names are what the tools take, each once, and none of the record’s head', () => {
  const names = layoutOf({
    'content-type': 1,
    'content.type': 2,
    '0': 3,
    common_pid: 4,
    COMM: 5,
    misfit: 6,
    '': 7,
    __proto__: {},
  });
  assert.deepEqual(
    names.map(({ name }) => name),
    ['_0', 'content_type', 'content_type_2', '_common_pid', '_COMM', 'misfit_2', '_'],
  );
});

test('a message that is no object is one text', () => {
  for (const message of ['text', 7, undefined, null, [1, 2], () => {}, new Proxy({}, {})]) {
    const { fields, print } = layoutEvent(layoutOf(message));
    assert.deepEqual(Object.keys(fields), ['object', 'msg']);
    assert.equal(print, '"%s", __get_str(msg)');
    assert.equal(fields['msg']!.get(message), message);
  }
});

test('a later message that does not fit says so', () => {
  const first = { id: 7, paid: true, note: 'a gift' };
  assert.equal(misfitOf(first, { id: 8, paid: false, note: { any: 'value' } }), '');
  assert.equal(misfitOf(first, { id: 8.5, paid: 1, note: '' }), ' (misfit: id is 8.5, paid is 1)');
  assert.equal(
    misfitOf(first, { note: '', more: 1, 'and-more': 2 }),
    ' (misfit: id missing, paid missing, more added, and-more added)',
  );
  assert.equal(misfitOf(first, { id: 'x'.repeat(100), paid: true, note: '' }), ` (misfit: id is ${'x'.repeat(40)}…)`);
  assert.equal(misfitOf(first, 'text'), ' (misfit: message is text)');
  assert.equal(misfitOf(first, undefined), ' (misfit: message is (null))');
});

test('messages that are one object have one number, in all events; others have none', () => {
  const numberOf = (first: unknown, message: unknown): unknown => layoutEvent(layoutOf(first)).fields[OBJECT]!.get(message);
  const message = { id: 1 };
  assert.equal(numberOf(message, message), numberOf({ other: 2 }, message));
  assert.notEqual(numberOf(message, message), numberOf(message, { id: 1 }));
  for (const one of ['text', 7, undefined, null, 1n]) assert.equal(numberOf('', one), 0);
});

test('nothing of the program runs', () => {
  const trap = (): never => assert.fail('the program’s code ran');
  const hostile = {
    get id() {
      return trap();
    },
    proxy: new Proxy({}, { get: trap, ownKeys: trap, getOwnPropertyDescriptor: trap, getPrototypeOf: trap }),
    toString: trap,
    toJSON: trap,
    [Symbol.toPrimitive]: trap,
  };
  assert.deepEqual(
    layoutOf(hostile).map(({ name }) => name),
    ['proxy', 'toString', 'toJSON'],
  );
  assert.match(String(misfitOf({ id: 1 }, hostile)), /^ \(misfit: id is a getter, proxy added, /);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  assert.deepEqual(layoutOf(proxy), []);
  assert.match(String(misfitOf({ id: 1 }, proxy)), /^ \(misfit: message is /);
});

test('an object that is used as a table has as many fields as a record can show', () => {
  const table = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, i]));
  assert.equal(layoutOf(table).length, 24);
  assert.equal(misfitOf(table, table), '');
});

test('the fields that another thread has found are read from this one’s properties', () => {
  const specs = {
    object: { type: 'u32' },
    content_type: { type: 'char' },
    id: { type: 's64' },
    paid: { type: 'bool' },
    misfit: { type: 'char' },
  };
  const layout = layoutFrom(specs, layoutOf({ 'content-type': 'text', other: 1 }));
  const [object, ...values] = Object.values(layoutEvent(layout).fields).map(({ get }) =>
    get({ 'content-type': 'text', other: 1 }),
  );
  assert.equal(typeof object, 'number');
  assert.deepEqual(values, ['text', undefined, undefined, ' (misfit: id missing, paid missing, other added)']);
});
