import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The preload that `node --import fentry` resolves to. Tests run from build/, so this is the bundle that was built with it. */
export const FENTRY = `${root}dist/index.js`;
/** The file for `node --require fentry`. */
export const REQUIRED = `${root}dist/preload.cjs`;

/** What a program printed, and how it ended. */
export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  /** Exit status, or the signal's name. */
  readonly status: number | string;
}

export interface RunOptions {
  readonly flags?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Path of a file of the sources under test/, from anywhere in build/. */
export const testFile = (path: string): string => `${root}test/${path}`;

/** Runs a program with this Node to its end, at most a minute. */
export const run = (program: string, { flags = [], env = {}, cwd }: RunOptions = {}): Promise<Outcome> =>
  new Promise((resolve) => {
    // Node's test runner sets FORCE_COLOR where its own output goes to a terminal.
    const { FORCE_COLOR: _color, ...inherited } = process.env;
    const environment = { ...inherited, NODE_OPTIONS: '', NODE_V8_COVERAGE: '', FENTRY: '', ...env };
    const child = execFile(
      process.execPath,
      [...flags, program],
      { encoding: 'utf8', timeout: 60_000, env: environment, cwd },
      (_error, stdout, stderr) => resolve({ stdout, stderr, status: child.exitCode ?? child.signalCode ?? 'unknown' }),
    );
  });
