import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const FENTRY = new URL('../../dist/index.js', import.meta.url).href;
/** The file that `--require` loads fentry from. */
export const REQUIRED = fileURLToPath(new URL('../../dist/preload.cjs', import.meta.url));
export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Runs a command to its end and returns what it printed; throws when it fails. */
export const output = (command, args, options = {}) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 30, ...options });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with status ${status}: ${stderr.slice(-2000)}`);
  return stdout;
};

/** Whether a command is installed. */
export const hasCommand = (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

/** User plus system CPU time in seconds of a command and all its threads, as the shell's `time` accounts it. */
export const cpuSeconds = (command, args, options) => times(command, args, options).cpu;

/** CPU time and elapsed time of a command that is run. */
export const times = (command, args, options = {}) => {
  const script = 'TIMEFORMAT="times %3U %3S %3R"; time "$@" >/dev/null';
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', command, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    ...options,
  });
  const found = /times ([\d.]+) ([\d.]+) ([\d.]+)\s*$/.exec(stderr);
  if (status !== 0 || found === null)
    throw new Error(`${command} ${args.join(' ')} ended with status ${status}: ${stderr.slice(-2000)}`);
  return { cpu: Number(found[1]) + Number(found[2]), real: Number(found[3]) };
};
