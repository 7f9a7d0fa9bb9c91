import type { EventDefinition } from '../events/define.js';
import { filterOf } from '../events/filter/event-filter.js';
import { FIRST_ARGUMENT, parseArguments } from './parse-arguments.js';
import type { FetchScope } from './parse-fetch.js';
import { behindColon } from './parse-kprobe.js';
import { ProbeCommand } from './probe-command.js';
import type { ProbeDefinition, ProbeTypeName } from './probe-definition.js';
import { ProbeError } from './probe-errors.js';
import { GROUPS, type ProbeEventName, parseEventName } from './probe-names.js';
import type { ProbeNeeds } from './probe-needs.js';

/** The word of a line that names the event which the probe is attached to. */
const ATTACHED = 1;
const IF = 'if';

/** The name of the event, or what the kernel says of a bad one: what is wrong with it, and then that it is none. */
function named(command: ProbeCommand, noInfo: (earlier: unknown) => never): ProbeEventName {
  try {
    return parseEventName(command, ATTACHED, command.words[ATTACHED]!, 0);
  } catch (error) {
    return noInfo(error);
  }
}

/** The event that a line names, `SYSTEM/EVENT` or `SYSTEM.EVENT`. */
function attachedTo(command: ProbeCommand, env: ProbeNeeds): EventDefinition {
  const noInfo = (earlier?: unknown): never => {
    try {
      return command.refuse('NO_EVENT_INFO', ATTACHED);
    } catch (error) {
      if (error instanceof ProbeError && earlier instanceof ProbeError) error.earlier = earlier;
      throw error;
    }
  };
  const { group, event } = named(command, noInfo);
  if (group === undefined || event === undefined) return noInfo();
  return env.event(group, event) ?? command.refuse('BAD_ATTACH_EVENT', ATTACHED);
}

/** What an argument without a type has: a field of text is text, all others are numbers as in the kernel. */
function fieldTypes({ specs }: EventDefinition): ReadonlyMap<string, ProbeTypeName> {
  const types = Object.entries(specs).map(([name, { type, shape }]): [string, ProbeTypeName] => [
    name,
    type === 'char' && shape !== 'one' ? 'string' : 'x64',
  ]);
  return new Map(types);
}

/** The filter behind `if`, checked against the event's fields. */
function filterFrom(command: ProbeCommand, event: EventDefinition, index: number): string {
  if (index === command.words.length) command.refuse('NO_EP_FILTER', index);
  const text = command.words.slice(index).join(' ');
  const { refusal } = filterOf(event, text);
  if (refusal === undefined) return text;
  throw new ProbeError('EINVAL', refusal.location, refusal.message, refusal.command, refusal.position);
}

/**
 * `e[:[GRP/][EVENT]] SYSTEM/EVENT [FETCHARGS] [if FILTER]` (__trace_eprobe_create in kernel/trace/trace_eprobe.c).
 * @returns undefined for a line of another kind
 * @throws ProbeError
 */
export function parseEprobe(words: readonly string[], env: ProbeNeeds): ProbeDefinition | undefined {
  const [head = ''] = words;
  if (!head.startsWith('e') || words.length < 2) return undefined;
  const command = new ProbeCommand('event_probe', words);
  const name = behindColon(head);
  const names = name ? parseEventName(command, 0, name.text, name.at) : { group: undefined, event: undefined };
  const attached = attachedTo(command, env);
  const { group = GROUPS.eprobe, event = attached.name } = names;
  const condition = words.indexOf(IF, FIRST_ARGUMENT);
  const filter = condition < 0 ? {} : { filter: filterFrom(command, attached, condition + 1) };
  const fields = fieldTypes(attached);
  const scope: FetchScope = { isReturn: false, hasArguments: false, isUprobe: false, params: [], fields };
  const args = parseArguments(command, scope, condition < 0 ? words.length : condition);
  const place = { kind: 'event', system: attached.system, event: attached.name } as const;
  return { kind: 'eprobe', group, event, place, maxactive: 0, args, ...filter };
}
