import type { Program } from './program.js';

/** The properties that decide whether a process is the application. */
export interface ApplicationTraits {
  readonly pid: number;
  /** The process's parent, the parent's parent and so on. */
  readonly ancestors: readonly number[];
  readonly program: Program;
}

/**
 * The applications among processes: without npm and its like, without installed programs and watchers that only start one of
 * the others (tsx, nodemon, next, node --watch), and without installed programs that one of the user's own has started. If
 * nothing else runs, these count as the applications.
 */
export function applicationsOf<One extends ApplicationTraits>(processes: readonly One[]): readonly One[] {
  const unmanaged = processes.filter(({ program }) => program.kind !== 'manager');
  const candidates = unmanaged.length > 0 ? unmanaged : processes;
  const starts = (one: One): boolean => candidates.some(({ ancestors }) => ancestors.includes(one.pid));
  const last = candidates.filter((one) => one.program.kind === 'own' || !starts(one));
  const own = new Set(last.filter(({ program }) => program.kind === 'own').map(({ pid }) => pid));
  return last.filter(({ program, ancestors }) => program.kind === 'own' || !ancestors.some((pid) => own.has(pid)));
}

/** Processes without those that have started this one: npm, tsx and their child are one application. */
export const notStarting = <One extends ApplicationTraits>(one: One, processes: readonly One[]): readonly One[] =>
  processes.filter(({ pid }) => pid !== one.pid && !one.ancestors.includes(pid));

/** Whether a process only runs this command: it is this process, or the npx above it. `asking`: this one and its ancestors. */
export const isAsking = ({ pid, program }: ApplicationTraits, asking: readonly number[]): boolean =>
  pid === asking[0] || (program.kind === 'manager' && asking.includes(pid));
