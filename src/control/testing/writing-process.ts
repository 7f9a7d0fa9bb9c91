import type { FakeThread } from './fake-thread.js';

/** The process as the writers of an instance see it: its threads may be added to. */
export function writingProcess(threads: readonly FakeThread[]) {
  const seen = new Map<number, string>();
  return {
    threads: {
      get living() {
        return threads.map(({ connection }) => connection);
      },
      get: (cpu: number) => threads.find(({ connection }) => connection.cpu === cpu)?.connection,
    },
    port: { counter: new BigInt64Array(new SharedArrayBuffer(8)), timeStamps: {} },
    seen,
    saw: (pid: number, comm: string) => void seen.set(pid, comm),
    async obeyed() {},
  };
}
