import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TraceClient } from '../../client/trace-client.js';

/**
 * Files outside of tracefs that its tools read, and what covers each in the namespace: a control file of the process, or a
 * fixed text.
 */
interface HostFile {
  /** Where the tools look. */
  readonly path: string;
  /** The control file that is bound there, if the process has it. */
  readonly control?: string;
  /** Else a file with this text. */
  readonly text?: string;
}

const HOST_FILES: readonly HostFile[] = [
  { path: '/proc/kallsyms', control: 'kallsyms' },
  { path: '/proc/sys/kernel/ftrace_enabled', text: '1\n' },
  { path: '/proc/sys/kernel/kptr_restrict', text: '0\n' },
  { path: '/proc/sys/kernel/stack_tracer_enabled', control: 'stack_tracer_enabled', text: '0\n' },
  { path: '/proc/sys/kernel/ftrace_dump_on_oops', text: '0\n' },
  { path: '/proc/sys/kernel/traceoff_on_warning', text: '0\n' },
  { path: '/proc/sys/kernel/tracepoint_printk', control: 'tracepoint_printk', text: '0\n' },
];
const CPUS = '/sys/devices/system/cpu';

/** The bind mounts: lines of `source target`, for the script that makes them. */
export interface Bindings {
  /** The folder of the files that are not control files. */
  readonly folder: string;
  /** An empty directory in it. */
  readonly spare: string;
  /** Sources are relative to the tracing directory, or absolute. */
  readonly lines: readonly (readonly [source: string, target: string])[];
}

/** Creates the files that cover those of the host. */
export async function hostBindings(client: TraceClient): Promise<Bindings> {
  const names = new Set((await client.list('')).map(({ name }) => name));
  const cpus = (await client.list('per_cpu')).length;
  const folder = mkdtempSync(join(tmpdir(), 'fentry-exec-'));
  const fileOf = (target: string, text: string): readonly [string, string] => {
    const source = join(folder, target.replaceAll('/', '_'));
    writeFileSync(source, text);
    return [source, target];
  };
  const range = cpus > 1 ? `0-${cpus - 1}\n` : '0\n';
  const lines = HOST_FILES.flatMap(({ path, control, text }) => {
    if (control !== undefined && names.has(control)) return [[control, path] as const];
    return text === undefined ? [] : [fileOf(path, text)];
  });
  const spare = join(folder, 'spare');
  mkdirSync(spare);
  return { folder, spare, lines: [...lines, fileOf(`${CPUS}/possible`, range)] };
}
