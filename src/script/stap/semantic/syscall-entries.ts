import type { ScriptTarget } from '../../target.js';
import type { Block, EntryExpression, GlobalDefinition, StapExpression, StapFile, StapPlace, Statement } from '../syntax-tree.js';
import { SYSCALLS, syscallArguments } from '../syscall-tapset.js';
import type { BodyPart, DerivedProbe } from './derive-points.js';
import { basePoints } from './point-table.js';
import type { TapsetLibrary } from './tapset-library.js';

const { system: SYSTEM, enter: ENTER, exit: EXIT } = SYSCALLS;

/** Functions that read an argument of a call by its number. */
const ARGUMENT = /^(?:pointer|s32|u32|s64|u64|(?:u?(?:int|long|longlong)))_arg$/;

/** Calls that are made by another one here, whose first argument they do not have. */
const WITHOUT_FOLDER = /^(?:nd_)?syscall\.(?:open|stat|creat)(?:\.|$)/;

/**
 * `@entry`, `pointer_arg(1)` and `returnval()` at the events of system calls, which are no calls of a function: what `@entry`
 * asks for is kept by a probe at the event of the entry, under the thread and the number of the call.
 */
export class SyscallEntries {
  readonly #globals: GlobalDefinition[] = [];
  /** Has the arrays that keep it. */
  readonly #file: StapFile = {
    path: 'entries.stp',
    isPrivileged: false,
    probes: [],
    aliases: [],
    functions: [],
    globals: this.#globals,
    embedded: [],
  };

  readonly #target: ScriptTarget;

  constructor(target: ScriptTarget) {
    this.#target = target;
  }

  /** The tapsets, and the arrays. No name of a script begins with `@`. */
  library(base: TapsetLibrary): TapsetLibrary {
    return {
      fileOfFunction: (name) => base.fileOfFunction(name),
      fileOfGlobal: (name) => (name.startsWith('@') ? this.#file : base.fileOfGlobal(name)),
      aliases: (first) => base.aliases(first),
      get pointNames() {
        return base.pointNames;
      },
      get functionNames() {
        return base.functionNames;
      },
    };
  }

  /** A probe as it is, or with what makes it work at a system call; then those at the entry go before it. */
  expand(derived: DerivedProbe): readonly DerivedProbe[] {
    const { point } = derived.base;
    if (point.kind !== 'event' || point.system !== SYSTEM) return [derived];
    const call = point.name.replace(ENTER, '').replace(EXIT, '');
    const args = this.#argumentsOf(call, derived.alias ?? '');
    const isExit = point.name.startsWith(EXIT);
    const entries: { readonly name: string; readonly of: StapExpression; readonly file: StapFile }[] = [];
    const parts = derived.parts.map(({ block, file }): BodyPart => {
      const replaced = mapped(block, (node) => {
        const kept = (of: StapExpression, place: StapPlace): StapExpression => {
          if (!isExit) return of;
          const name = this.#array(place);
          entries.push({ name, of, file });
          return symbol(`${name} value`, place);
        };
        if (isExit && node.kind === 'entry') return kept(withArguments((node as EntryExpression).of, args), node.place);
        if (isExit && node.kind === 'call' && node.name === 'returnval') return variable('ret', node.place);
        if (isCommandLine(node, call)) return kept(variable('argv', node.place), node.place);
        const read = argument(node, args);
        return isExit && read !== undefined ? kept(read, node.place) : read;
      });
      return { block: replaced, file };
    });
    if (entries.length === 0) return [{ ...derived, parts }];
    const { place } = derived.point;
    const taken = entries.flatMap(({ name }) => taking(name, place));
    return [
      ...this.#enterProbes(call, derived, entries),
      { ...derived, parts: [{ block: blockOf(taken, place), file: this.#file }, ...parts] },
    ];
  }

  #argumentsOf(call: string, alias: string): readonly string[] {
    const [event] = this.#target.events(SYSTEM, `${ENTER}${call}`);
    const names = event === undefined ? [] : syscallArguments(event).map(({ name }) => name);
    return WITHOUT_FOLDER.test(alias) && names[0] === 'dfd' ? names.slice(1) : names;
  }

  #array(place: StapPlace): string {
    const text = `@entry${this.#globals.length}`;
    this.#globals.push({ name: { text, place }, isPrivate: false, wraps: true, place });
    return text;
  }

  #enterProbes(
    call: string,
    derived: DerivedProbe,
    entries: readonly { readonly name: string; readonly of: StapExpression; readonly file: StapFile }[],
  ): readonly DerivedProbe[] {
    const { place } = derived.point;
    const argument = { kind: 'string', value: `${SYSTEM}:${ENTER}${call}`, written: `${SYSTEM}:${ENTER}${call}`, place } as const;
    const found = basePoints(
      [
        { name: 'kernel', place },
        { name: 'trace', argument, place },
      ],
      this.#target,
    );
    const parts = entries.map(({ name, of, file }): BodyPart => ({ block: blockOf([keeping(name, of, place)], place), file }));
    return Array.isArray(found) ? found.map((base) => ({ ...derived, base, parts, conditions: [] })) : [];
  }
}

const symbol = (name: string, place: StapPlace): StapExpression => ({ kind: 'symbol', name, place });
const variable = (name: string, place: StapPlace): StapExpression => ({
  kind: 'target',
  name,
  isVar: false,
  accesses: [],
  isAddress: false,
  place,
});
const blockOf = (statements: readonly Statement[], place: StapPlace): Block => ({ kind: 'block', statements, place });

/** `array[tid(), $req]` */
const element = (name: string, place: StapPlace): StapExpression => ({
  kind: 'index',
  of: { kind: 'symbol', name, place },
  keys: [{ kind: 'call', name: 'tid', args: [], place }, variable('req', place)],
  place,
});

const assignment = (target: StapExpression, value: StapExpression, place: StapPlace): Statement => ({
  kind: 'expression',
  expression: { kind: 'assign', operator: '=', target, value, place },
  place,
});
const keeping = (name: string, of: StapExpression, place: StapPlace): Statement => assignment(element(name, place), of, place);
const taking = (name: string, place: StapPlace): readonly Statement[] => [
  assignment(symbol(`${name} value`, place), element(name, place), place),
  { kind: 'delete', target: element(name, place), place },
];

function withArguments(of: StapExpression, args: readonly string[]): StapExpression {
  return mapped(of, (node) => argument(node, args));
}

/** At `execve` the task's command line is that of the program that is started. */
const isCommandLine = (node: StapExpression, call: string): boolean =>
  call === 'execve' && node.kind === 'call' && node.name === 'cmdline_str';

/** The variable that `pointer_arg(1)` reads. */
function argument(node: StapExpression, args: readonly string[]): StapExpression | undefined {
  if (node.kind !== 'call' || !ARGUMENT.test(node.name)) return undefined;
  const [number] = node.args;
  const name = number?.kind === 'long' ? args[Number(number.value) - 1] : undefined;
  return name === undefined ? undefined : variable(name, node.place);
}

/** A part of a tree in which some nodes are replaced by others. */
export function mapped<T>(node: T, replace: (node: StapExpression) => StapExpression | undefined): T {
  if (Array.isArray(node)) return node.map((one) => mapped(one, replace)) as T;
  if (typeof node !== 'object' || node === null) return node;
  const other = 'kind' in node ? replace(node as unknown as StapExpression) : undefined;
  if (other !== undefined) return other as T;
  const entries = Object.entries(node).map(([key, value]) => [key, key === 'place' ? value : mapped(value, replace)]);
  return Object.fromEntries(entries) as T;
}
