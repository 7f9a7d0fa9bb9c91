import { applicationsOf } from '../client/applications.js';
import type { TraceableProcess } from '../client/describe-process.js';
import { listedProcesses } from '../client/processes.js';

type Named = Pick<TraceableProcess, 'pid' | 'program'>;

/** The processes that a command which started none may have meant, in words; empty if none runs. */
export function runningText(processes: readonly Named[]): string {
  const [one, ...others] = processes;
  if (one === undefined) return '';
  const named = [one, ...others].map(({ pid, program }) => `${pid} (${program.name})`).join(', ');
  return others.length === 0
    ? `; ${named} runs already: choose it with --pid ${one.pid}`
    : `; ${named} run already: choose one with --pid PID`;
}

/** The words of `runningText` for the processes that run now. */
export const runningInstead = (): Promise<string> =>
  listedProcesses().then(
    (all) => runningText(applicationsOf(all)),
    () => '',
  );
