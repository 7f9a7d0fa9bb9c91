import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PoolQueue, type PoolWork, poolThreads, ThreadPool } from './thread-pool.js';

function createPool(threads: number) {
  const told: string[] = [];
  const pool = new ThreadPool(threads, ({ id }, at) => told.push(`${id} at ${at}`));
  const add = (id: number, queuedAt: number, queue: PoolQueue = 'fs'): PoolWork => {
    const work = { id, queue, asker: 0, queuedAt, startedAt: 0 };
    pool.add(work);
    return work;
  };
  const end = (work: PoolWork, now: number): void => {
    pool.ended(work, now);
    pool.release(work, now);
  };
  return { pool, add, end, took: () => told.splice(0) };
}

test('requests wait for a free thread, and get it in their order', () => {
  const { pool, add, end, took } = createPool(2);
  const [first, second] = [add(1, 10), add(2, 11)];
  const third = add(3, 12);
  add(4, 13);
  assert.deepEqual(took(), ['1 at 10', '2 at 11']);
  assert.equal(pool.pending, 4);
  end(second, 20);
  assert.deepEqual(took(), ['3 at 20']);
  assert.equal(third.startedAt, 20);
  end(first, 30);
  assert.deepEqual(took(), ['4 at 30']);
  assert.equal(pool.pending, 2);
});

test('name lookups take half of the threads, others pass them', () => {
  const { add, end, took } = createPool(4);
  const [first] = [add(1, 1, 'dns'), add(2, 2, 'dns')] as const;
  add(3, 3, 'dns');
  add(4, 4);
  assert.deepEqual(took(), ['1 at 1', '2 at 2', '4 at 4']);
  end(first, 9);
  assert.deepEqual(took(), ['3 at 9']);
});

test('a request that ends while it seems to wait has begun by then', () => {
  const { pool, add, end, took } = createPool(1);
  const [first, second] = [add(1, 1), add(2, 2)];
  took();
  end(second, 8);
  assert.deepEqual(took(), ['2 at 8']);
  end(first, 9);
  assert.equal(pool.pending, 0);
});

test('the number of threads is that of libuv', () => {
  assert.deepEqual([undefined, '8', '0', 'x', '5000'].map(poolThreads), [4, 8, 1, 1, 1024]);
});
