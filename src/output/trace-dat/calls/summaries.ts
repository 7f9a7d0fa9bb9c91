import { type AnswerStyle, answerData } from '../../../answers/answer.js';
import type { ModulesAnswer } from '../../../answers/modules/modules-answer.js';
import { modulesText } from '../../../answers/modules/modules-text.js';
import type { ProfileAnswer } from '../../../answers/profile/profile-answer.js';
import { profileText } from '../../../answers/profile/profile-text.js';
import type { ReportSink } from '../report/report-options.js';
import { CallProfile, type ProfileOrder } from './call-profile.js';
import type { CalledFunction } from './called-functions.js';
import { functionFilter, type IsShown } from './function-filter.js';
import { ModuleTimes } from './module-times.js';
import { TextOut } from './text-out.js';
import { walkCalls } from './walk-calls.js';

type Cpus = ReadonlySet<number> | undefined;

/** Which calls are shown. */
export interface CallOptions {
  /** How the table is shown. */
  readonly style?: AnswerStyle;
  /** Words that say of which functions, as `set_ftrace_filter` takes them; all when left out. */
  readonly filter?: readonly string[];
}

/** How the table of functions is shown. */
export interface ProfileOptions extends CallOptions {
  readonly order: ProfileOrder;
  /** Prints the sums as data (src/answers/profile/profile-answer.ts). */
  readonly json?: boolean;
}

/** Asks of each function once, as its calls are many. */
function shownBy({ filter }: CallOptions): IsShown {
  if (filter === undefined) return () => true;
  const matches = functionFilter(filter);
  const known = new Map<CalledFunction, boolean>();
  return (func) => {
    let isShown = known.get(func);
    if (isShown === undefined) known.set(func, (isShown = matches(func)));
    return isShown;
  };
}

/** The table of functions: total and self time, calls, time of a call. */
export function printProfile(path: string, cpus: Cpus, options: ProfileOptions, sink: ReportSink): readonly string[] {
  const isShown = shownBy(options);
  const profile = new CallProfile();
  const { application, warnings } = walkCalls(path, cpus, profile);
  const answer: ProfileAnswer = { answer: 'profile', version: 1, application, ...profile.sums(options.order, isShown) };
  // Who names functions wants to see those.
  const style = { ...options.style, ...(options.filter && { all: true }) };
  printLines(options.json ? [answerData(answer)] : profileText(answer, style), sink);
  return [...warnings, ...profile.warnings(isShown)];
}

/** How the tree of modules is shown. */
export interface ModuleOptions extends Pick<CallOptions, 'style'> {
  /** Prints it as data (src/answers/modules/modules-answer.ts). */
  readonly json?: boolean;
}

/** The tree of imports: the time of each module's code outside of functions, and of what came by it. */
export function printModules(path: string, cpus: Cpus, { style, json }: ModuleOptions, sink: ReportSink): readonly string[] {
  const times = new ModuleTimes();
  const { application, warnings } = walkCalls(path, cpus, times);
  const answer: ModulesAnswer = { answer: 'modules', version: 2, application, ...times.tree() };
  if (json) printLines([answerData(answer)], sink);
  else if (answer.modules.length > 0) printLines(modulesText(answer, style ?? {}), sink);
  return [...warnings, ...times.warnings()];
}

function printLines(lines: Iterable<string>, sink: ReportSink): void {
  const out = new TextOut(sink);
  for (const line of lines) {
    if (out.isClosed) break;
    out.write(`${line}\n`);
  }
  out.flush();
}
