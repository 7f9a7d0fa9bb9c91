import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TraceError } from '../base/errno.js';
import { FtraceRegistry, type SubscriberPlanner, type SubscriberRequest } from './register.js';

function createPlanner(): SubscriberPlanner & { log: unknown[]; refuse: boolean } {
  const log: unknown[] = [];
  return {
    log,
    refuse: false,
    addSubscriber: (id) => log.push(`add ${id}`),
    removeSubscriber: (id) => log.push(`remove ${id}`),
    async subscribe({ id, name, flags, filter, notrace }: SubscriberRequest) {
      if (this.refuse) throw new TraceError('EINVAL', 'no function matches');
      log.push(`plan ${id} ${name} ${flags} +${filter} -${notrace}`);
    },
    async unsubscribe(id) {
      log.push(`drop ${id}`);
    },
  };
}

const errno = (name: string) => (error: unknown) => error instanceof TraceError && error.errno === name;

test('the life of a subscriber', async () => {
  const planner = createPlanner();
  const registry = new FtraceRegistry(planner);
  const ops = { func: function watch() {}, saveRegs: true, filter: 'handle* parse', notrace: ['handleQuiet'] };
  await registry.register(ops);
  await registry.setFilter(ops, 'render');
  await registry.setFilter(ops, [], true);
  await registry.unregister(ops);
  assert.deepEqual(planner.log, [
    'add -1',
    'plan -1 watch 1 +handle*,parse -handleQuiet',
    'plan -1 watch 1 +handle*,parse,render -handleQuiet',
    'plan -1 watch 1 + -handleQuiet',
    'remove -1',
    'drop -1',
  ]);
});

test('refused registrations leave nothing behind', async () => {
  const planner = createPlanner();
  const registry = new FtraceRegistry(planner);
  const ops = { func() {}, filter: 'nosuch' };
  await assert.rejects(registry.register({} as never), errno('EINVAL'));
  await assert.rejects(registry.unregister(ops), errno('EBUSY'));
  planner.refuse = true;
  await assert.rejects(registry.register(ops), errno('EINVAL'));
  planner.refuse = false;
  await registry.register(ops);
  await assert.rejects(registry.register(ops), errno('EBUSY'));
  planner.refuse = true;
  await assert.rejects(registry.setFilter(ops, 'nosuch'), errno('EINVAL'));
  planner.refuse = false;
  await registry.setFilter(ops, 'other');
  assert.equal(planner.log.at(-1), 'plan -2 func 0 +nosuch,other -');
});

test('a thousand subscribers, and no id is given again', async () => {
  const planner = createPlanner();
  const registry = new FtraceRegistry(planner);
  const many = Array.from({ length: 1000 }, () => ({ func() {} }));
  for (const ops of many) await registry.register(ops);
  registry.failed(many[3]!);
  await registry.register({ func() {} });
  const added = planner.log.filter((line) => String(line).startsWith('add'));
  assert.equal(new Set(added).size, 1001);
});

test('changes that are asked for at the same time are made one after the other', async () => {
  const planner = createPlanner();
  const registry = new FtraceRegistry(planner);
  const ops = { func() {}, filter: 'first' };
  const words: unknown[] = [];
  planner.subscribe = async ({ filter }) => {
    if (filter.includes('nosuch')) throw new TraceError('EINVAL');
    words.push(filter);
  };
  const registered = registry.register(ops);
  const refused = assert.rejects(registry.setFilter(ops, 'nosuch'), errno('EINVAL'));
  const made = registry.setFilter(ops, 'second');
  await Promise.all([registered, refused, made]);
  assert.deepEqual(words, [['first'], ['first', 'second']]);
});

test('a registration that is refused after the ops were registered again does not touch the new one', async () => {
  const planner = createPlanner();
  const registry = new FtraceRegistry(planner);
  const ops = { func() {}, filter: 'first' };
  const answers: ((error?: Error) => void)[] = [];
  planner.subscribe = () => new Promise<void>((resolve, reject) => answers.push((error) => (error ? reject(error) : resolve())));
  const first = registry.register(ops);
  await registry.unregister(ops);
  const second = registry.register(ops);
  answers[0]!(new TraceError('EINVAL'));
  await assert.rejects(first, errno('EINVAL'));
  answers[1]!();
  await second;
  await assert.rejects(registry.register(ops), errno('EBUSY'));
});
