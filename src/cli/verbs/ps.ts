import { listedProcesses } from '../../client/processes.js';
import { parseOptionsOnly } from '../arguments.js';
import { print } from '../output.js';
import type { Verb } from '../verb.js';

export const ps: Verb = {
  name: 'ps',
  synopsis: '',
  summary: 'list the processes that can be traced, with the program, folder and command of each',
  options: {},
  help: '',
  async run(args) {
    parseOptionsOnly(args, {});
    const processes = await listedProcesses();
    const rows = processes.map(({ pid, program, folder, command }) => [String(pid), program.name, folder, command] as const);
    print(table([['PID', 'PROGRAM', 'FOLDER', 'COMMAND'], ...rows]));
    return 0;
  },
};

/** Columns as wide as their content: the first is right-aligned, the last is not padded. */
function table(rows: readonly (readonly [string, string, string, string])[]): string {
  const width = (column: 0 | 1 | 2): number => Math.max(...rows.map((row) => row[column].length));
  const [pids, programs, folders] = [Math.max(width(0), 5), width(1), width(2)];
  return rows
    .map(
      ([pid, program, folder, command]) =>
        `${pid.padStart(pids)} ${program.padEnd(programs)} ${folder.padEnd(folders)} ${command}\n`,
    )
    .join('');
}
