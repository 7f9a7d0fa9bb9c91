import type { FakeThread } from './fake-thread.js';

/** The process as the writers of an instance see it: its threads may be added to, and its own cpu is free as long as `free` is. */
export function writingProcess(threads: readonly FakeThread[], free = true) {
  const seen = new Map<number, string>();
  return {
    threads: {
      get living() {
        return threads.map(({ connection }) => connection);
      },
      get: (cpu: number) => threads.find(({ connection }) => connection.cpu === cpu)?.connection,
    },
    counter: new BigInt64Array(new SharedArrayBuffer(8)),
    high: 0xffffffff,
    seen,
    saw: (pid: number, comm: string) => void seen.set(pid, comm),
    async obeyed() {},
    ownCpu: undefined as number | undefined,
    takeOwnCpu() {
      if (free) this.ownCpu = 9;
      return this.ownCpu;
    },
  };
}
