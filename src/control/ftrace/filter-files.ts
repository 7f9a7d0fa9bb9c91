import { TraceError } from '../../base/errno.js';
import { FUNCTION_COMMANDS } from '../../ftrace/commands/command-table.js';
import { type CommandWord, type ProbeEvent, parseCommandWord } from '../../ftrace/commands/command-word.js';
import type { FunctionProbes } from '../../ftrace/commands/function-probes.js';
import type { FilterName } from '../../ftrace/function-filter.js';
import { FilterEditor, type FunctionFilter, parseFilterWord, waitingWords } from '../../ftrace/function-filter.js';
import { FunctionMatcher, type FunctionNames, functionNames } from '../../ftrace/function-match.js';
import { EMPTY_HASH, isEmptyHash } from '../../ftrace/hash.js';
import type { PortFeature } from '../../ftrace/tracers/features.js';
import type { TraceFile } from '../tracefs/node.js';
import type { Content } from '../tracefs/text-file.js';
import { takeLastWord, wordsFile } from '../tracefs/words-file.js';
import type { FunctionTable } from './function-table.js';

/** What the filter files need of their instance. */
export interface FilteredInstance {
  readonly process: { readonly lacks: ReadonlySet<PortFeature>; functions(): FunctionTable };
  readonly buffers: { allocateSnapshot(): Promise<void> };
  readonly events: {
    switchable(system: string, name: string): ProbeEvent | undefined;
    setSwitched(events: Iterable<ProbeEvent>): Promise<void>;
  };
  /** The present filter, with the functions that were linked since it was set. */
  filter(which: FilterName): FunctionFilter;
  setFilter(which: FilterName, filter: FunctionFilter): Promise<void>;
  /** The probes that the commands of set_ftrace_filter have set; changes take effect with `applyProbes`. */
  probes(): FunctionProbes;
  applyProbes(): Promise<void>;
}

const ALL_ENABLED = '#### all functions enabled ####\n';
const NONE_DISABLED = '#### no functions disabled ####\n';

const FILES: Readonly<Record<FilterName, { readonly off: string; readonly isGraph: boolean; readonly commands?: true }>> = {
  filter: { off: ALL_ENABLED, isGraph: false, commands: true },
  notrace: { off: NONE_DISABLED, isGraph: false },
  graph: { off: ALL_ENABLED, isGraph: true },
  graphNotrace: { off: NONE_DISABLED, isGraph: true },
};

/** The functions as filters see them: those with a patch site, in the order of available_filter_functions. */
function namesOf(table: FunctionTable): FunctionNames {
  const listed = [...table.numbers()].filter((n) => table.reason(n) === undefined);
  return functionNames(
    listed,
    (n) => table.name(n),
    (n) => table.module(n),
  );
}

/** `name [module]`, as `%ps` prints a function. */
export function functionText(table: FunctionTable, n: number): string {
  const module = table.module(n);
  return module === '' ? table.name(n) : `${table.name(n)} [${module}]`;
}

/** The lines of a filter's functions, or the line that says that there are none. */
export function* filterText(functions: FunctionTable, filter: FunctionFilter): Generator<string> {
  if (isEmptyHash(filter)) yield ALL_ENABLED;
  yield* filterLines(functions, namesOf(functions), filter);
}

/** Adds the words of a filter, one by one; `resultWith` is the filter with one more word. Without a `start` it begins empty. */
export function filterEditing(
  functions: FunctionTable,
  start: FunctionFilter = EMPTY_HASH,
): { word(text: string): void; resultWith(last: string): FunctionFilter } {
  const names = namesOf(functions);
  const editor = new FilterEditor(names, start);
  const apply = (to: FilterEditor, text: string): void => to.apply(parseFilterWord(text), names.listed.length === 0);
  return {
    word: (text) => apply(editor, text),
    resultWith(last) {
      const copy = editor.copy();
      takeLastWord(last, (text) => apply(copy, text));
      return copy.result();
    },
  };
}

function* show(instance: FilteredInstance, which: FilterName): Generator<string> {
  const functions = instance.process.functions();
  const filter = instance.filter(which);
  // A notrace file says so even when words wait in it.
  if (isEmptyHash(filter) || (which === 'notrace' && filter.functions.size === 0)) yield FILES[which].off;
  const names = namesOf(functions);
  yield* filterLines(functions, names, filter);
  if (FILES[which].commands) yield* instance.probes().lines(names, (n) => functionText(functions, n));
}

function* filterLines(functions: FunctionTable, names: FunctionNames, filter: FunctionFilter): Generator<string> {
  for (const n of names.listed) if (filter.functions.has(n)) yield `${functionText(functions, n)}\n`;
  for (const word of waitingWords(filter, names)) {
    yield word.module === undefined ? `${word.text}\n` : `${word.text.slice(0, word.text.indexOf(':'))}:mod:${word.module}\n`;
  }
}

/** set_ftrace_filter, set_ftrace_notrace, set_graph_function, set_graph_notrace. */
export function filterFile(instance: FilteredInstance, which: FilterName): TraceFile {
  const { isGraph, commands } = FILES[which];
  return wordsFile({
    mode: 0o640,
    show: (): Content => show(instance, which),
    edit(truncate) {
      let names = namesOf(instance.process.functions());
      let editor = new FilterEditor(names, truncate ? EMPTY_HASH : instance.filter(which));
      let matcher: FunctionMatcher | undefined;
      let hasClosed = false;
      let hasCommands = false;
      let takesSnapshots = false;
      // Before the first text is linked no word can match anything: all of them wait.
      const waits = (): boolean => names.listed.length === 0;
      // A file may stay open for long, in a shell that closes copies of its descriptor.
      function lookAgain(): void {
        if (!hasClosed) return;
        hasClosed = false;
        names = namesOf(instance.process.functions());
        editor = editor.copy(names);
        matcher = undefined;
      }
      // A command takes effect at once, unlike the filter, and stays when the file is truncated.
      function command(word: CommandWord): void {
        const { takes } = FUNCTION_COMMANDS[word.command];
        if (instance.process.lacks.has(takes === 'event' ? 'event commands' : 'commands'))
          throw new TraceError('EINVAL', `no command ${word.command} for these functions`);
        hasCommands = true;
        takesSnapshots ||= word.command === 'snapshot' && !word.not;
        matcher ??= new FunctionMatcher(names);
        instance.probes().apply(word, matcher, names, waits());
      }
      function apply(to: FilterEditor, text: string): void {
        const parsed = commands && parseCommandWord(text, (system, name) => instance.events.switchable(system, name));
        if (parsed !== undefined) command(parsed);
        else if (isGraph) to.applyGraph(text, waits());
        else to.apply(parseFilterWord(text), waits());
      }
      return {
        word(text) {
          lookAgain();
          apply(editor, text);
        },
        async written() {
          if (!hasCommands) return;
          if (takesSnapshots) await instance.buffers.allocateSnapshot();
          hasCommands = false;
          takesSnapshots = false;
          await instance.events.setSwitched(instance.probes().events());
          await instance.applyProbes();
        },
        close(last) {
          lookAgain();
          const closing = editor.copy();
          takeLastWord(last, (text) => apply(closing, text));
          hasClosed = true;
          return instance.setFilter(which, closing.result());
        },
      };
    },
  });
}
