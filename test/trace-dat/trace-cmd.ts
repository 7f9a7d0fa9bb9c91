import { spawnSync } from 'node:child_process';

/** What a run of trace-cmd printed; stderr apart. */
export interface TraceCmdRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function traceCmd(...args: string[]): TraceCmdRun {
  const { status, stdout, stderr } = spawnSync('trace-cmd', args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  return { status, stdout, stderr };
}

/** Why tests that need trace-cmd are skipped, or false. */
export const noTraceCmd: string | false =
  spawnSync('trace-cmd', ['--version']).error === undefined ? false : 'trace-cmd is not installed (apt-get install trace-cmd)';
