import { isRefused, Refused } from '../../base/refused.js';
import type { FetchedVariable, MachineCode } from '../../port/port.js';
import { variableOf } from '../../probes/fetch-root.js';
import {
  type Fetch,
  type ProbeArgument,
  type ProbeDefinition,
  type ProbeType,
  RETURN_KINDS,
} from '../../probes/probe-definition.js';
import { ProbeRefusal } from '../../probes/probe-errors.js';
import type { FoundPlace } from '../ftrace/found-place.js';
import type { TextTable } from '../ftrace/text-table.js';

type CodeVariables = Pick<MachineCode, 'fetchVariable'>;

const ADDRESS: ProbeType = { name: 'x64' };
const NO_PARAMETERS = new Refused('a return probe of machine code has $retval only: the function may have changed its variables');

/** Whether any argument begins with the name of a variable. */
export const readsVariables = ({ args }: Pick<ProbeDefinition, 'args'>): boolean =>
  args.some(({ fetch }) => variableOf(fetch) !== undefined);

/**
 * The arguments of a probe of machine code at a place, with registers and memory in place of the names of variables, and the
 * types that they have.
 * @throws ProbeRefusal that names the argument
 */
export function argumentsAt(code: CodeVariables, place: FoundPlace, { args, kind }: ProbeDefinition): readonly ProbeArgument[] {
  return args.map((argument, i) => {
    if (variableOf(argument.fetch) === undefined) return argument;
    const { takesType, ...rest } = argument;
    const found = RETURN_KINDS.includes(kind)
      ? NO_PARAMETERS
      : fetched(code, argument.fetch, place, takesType ? undefined : argument.type);
    if (isRefused(found)) throw new ProbeRefusal('BAD_FETCH_ARG', found.why, i);
    return { ...rest, ...found };
  });
}

/** A definition with the types of its variables, which must be the same at all of its places. @throws ProbeRefusal */
export function withTypes(
  table: TextTable,
  definition: ProbeDefinition,
  places: readonly { readonly place: FoundPlace; readonly args: readonly ProbeArgument[] }[],
): ProbeDefinition {
  const [first, ...others] = places;
  if (first === undefined) return definition;
  const args = definition.args.map(({ takesType: _takesType, ...argument }, i) => ({ ...argument, type: first.args[i]!.type }));
  for (const { place, args: own } of others) {
    const differs = own.findIndex(({ type }, i) => JSON.stringify(type) !== JSON.stringify(args[i]!.type));
    if (differs < 0) continue;
    throw new ProbeRefusal('BAD_FETCH_ARG', `it has another type in ${table.name(place.n)}: write one`, differs);
  }
  return { ...definition, args };
}

function fetched(code: CodeVariables, fetch: Fetch, place: FoundPlace, asked: ProbeType | undefined): FetchedVariable | Refused {
  if (fetch.kind === 'dereference') {
    const inner = fetched(code, fetch.of, place, ADDRESS);
    return isRefused(inner) ? inner : { fetch: { ...fetch, of: inner.fetch }, type: asked ?? ADDRESS };
  }
  return code.fetchVariable(place.n, place, fetch, asked);
}
