import { MAX_FIELDS } from '../synthetic/synthetic-event.js';
import type { ActionKind, HistAction, HistData, HistHandler } from './hist-data.js';
import { refused } from './hist-errors.js';

/** What stands before the first `separator` and what behind it; without one there is nothing behind (strsep). */
function cut(text: string, separator: string): [before: string, behind: string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** What the words of actions begin with; any other word is the name of a synthetic event. */
const KINDS: readonly (readonly [prefix: string, kind: ActionKind])[] = [
  ['save', 'save'],
  ['snapshot', 'snapshot'],
];

/** Parses the actions of a trigger as far as that needs no variables (parse_actions). @throws TraceError */
export function parseActions(data: HistData): void {
  for (const text of data.attributes.actions) {
    const [handler, behind] = cut(text, '(');
    data.actions.push(handler === 'onmatch' ? parseMatch(data, behind!) : parseTracking(data, handler as HistHandler, behind!));
  }
}

function parseMatch(data: HistData, text: string): HistAction {
  const { errors, scope } = data;
  const [match, behind] = cut(text, ')');
  if (behind === undefined) return errors.refuse('NO_CLOSING_PAREN', match);
  const [system, event] = cut(match, '.');
  if (event === undefined) return errors.refuse('SUBSYS_NOT_FOUND', system);
  if (scope.findEvent(system, event) === undefined) errors.refuse('INVALID_SUBSYS_EVENT', event);
  return { ...parseAction(data, behind, 'onmatch'), matchSystem: system, matchEvent: event };
}

function parseTracking(data: HistData, handler: HistHandler, text: string): HistAction {
  const [variable, behind] = cut(text, ')');
  if (behind === undefined) return refused('EINVAL', `no closing parenthesis: ${text}`);
  return { ...parseAction(data, behind, handler), variable };
}

/** `.save(x,y)` (action_parse) */
function parseAction(data: HistData, text: string, handler: HistHandler): HistAction {
  const { errors } = data;
  const [word, open] = cut(cut(text, '.')[1] ?? errors.refuse('ACTION_NOT_FOUND'), '(');
  const [inside, close] = cut(open ?? errors.refuse('ACTION_NOT_FOUND'), ')');
  const [, kind = 'trace'] = KINDS.find(([prefix]) => word.startsWith(prefix)) ?? [];
  if (kind === 'snapshot' && close === undefined) errors.refuse('NO_CLOSING_PAREN', inside);
  const params = kind === 'snapshot' ? [] : parseParams(data, inside, kind === 'trace' && word.startsWith('trace'));
  if (kind !== 'trace' && handler === 'onmatch') errors.refuse('ACTION_MISMATCH', word);
  const usesKeyword = kind === 'trace' && word.startsWith('trace');
  return {
    handler,
    kind,
    word,
    matchSystem: '',
    matchEvent: '',
    variable: '',
    synthName: usesKeyword ? params[0] : undefined,
    params: usesKeyword ? params.slice(1) : params,
    followed: undefined,
    track: undefined,
    values: [],
    synth: undefined,
  };
}

/** parse_action_params: names of at least two characters. */
function parseParams({ errors }: HistData, text: string, firstIsEvent: boolean): string[] {
  const most = MAX_FIELDS + (firstIsEvent ? 1 : 0);
  return text.split(',').map((part, i) => {
    if (i >= most) errors.refuse('TOO_MANY_PARAMS');
    const param = part.trim();
    return param.length < 2 ? errors.refuse('INVALID_PARAM', param) : param;
  });
}
