import type { ScriptTarget } from '../target.js';
import { quoted } from './arguments-tapset.js';

/** So many characters of a command line are kept: what a text of a script has room for. */
const MOST = 511;

/**
 * The functions of the tapsets for tasks and command lines whose answers are those of the process: its command line, and the
 * processes that it descends from, as they were when the script was compiled (tapset::task, tapset::context in SystemTap). All
 * other tasks are the process's own.
 */
export function processTapset({ commandLine = [], ancestors = [] }: Pick<ScriptTarget, 'commandLine' | 'ancestors'>): string {
  const parents = ancestors.map(({ pid }, i) => `  if (task == ${pid}) return ${ancestors[i + 1]?.pid ?? 0}\n`).join('');
  const pids = ancestors.map(({ pid }) => `  if (task == ${pid}) return task\n`).join('');
  const names = ancestors.map(({ pid, comm }) => `  if (task == ${pid}) return ${quoted(comm)}\n`).join('');
  const args = commandLine.map((arg, index) => `  if (index == ${index}) return ${quoted(arg)}\n`).join('');
  return `function task_parent:long(task:long) {
  if (task == 0) return 0
${parents}  return ppid()
}
function task_parent:long() { return ppid() }
function task_pid:long(task:long) {
  if (task == 0) return 0
${pids}  return pid()
}
function task_execname:string(task:long) {
${names}  return comm_of(task)
}
function pid2execname:string(task:long) { return task_execname(task) }
function pexecname:string() { return task_execname(ppid()) }
function pstrace:string(task:long) {
  while (task_pid(task) > 1) {
    text = sprintf("%s %s(%d)", text, task_execname(task), task_pid(task))
    task = task_parent(task)
  }
  return text
}
function cmdline_str:string() { return ${quoted(commandLine.join(' ').slice(0, MOST))} }
function cmdline_arg:string(index:long) {
${args}  return ""
}
function cmdline_args:string(index:long, last:long, between:string) {
  text = cmdline_arg(index)
  for (next_index = index + 1; next_index < ${commandLine.length} && (last < 0 || next_index <= last); next_index++)
    text = text . between . cmdline_arg(next_index)
  return text
}
`;
}
