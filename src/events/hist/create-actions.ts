import { attempt } from '../../base/attempt.js';
import { TraceError } from '../../base/errno.js';
import { MAX_FIELDS, type SyntheticEvent, type SyntheticField } from '../synthetic/synthetic-event.js';
import { MAX_VARS } from './hist-attributes.js';
import { FIELD, type FieldVariable, type HistAction, type HistData, type HistField, newField } from './hist-data.js';
import { refused } from './hist-errors.js';
import type { HistEvent } from './hist-event.js';
import { fieldName } from './hist-field.js';
import { createAtom } from './parse-field.js';
import { createReference, findEventVariable, findVariable, isOwnEvent, variableBeside } from './variables.js';

/**
 * Creates what the actions of a trigger need: references, variables of fields, triggers on other events (create_actions).
 * @throws TraceError
 */
export function createActions(data: HistData): void {
  for (const action of data.actions) {
    if (action.handler !== 'onmatch') createTracking(data, action);
    if (action.kind === 'trace') createTrace(data, action);
    if (action.kind === 'save') createSaved(data, action);
    if (action.kind === 'snapshot') data.scope.reserveSnapshot(data);
  }
}

/** A variable that no user declares (create_var). */
function addVariable(data: HistData, name: string, size: number, type: string | undefined): HistField | undefined {
  if (variableBeside(data, name) !== undefined && !data.isRemoval) return undefined;
  if (data.variables >= MAX_VARS) return undefined;
  const variable = newField(data, FIELD.VAR, name);
  variable.varIndex = data.variables++;
  variable.size = size;
  variable.type = type;
  return variable;
}

/** onmax and onchange follow a variable of the trigger (track_data_create). */
function createTracking(data: HistData, action: HistAction): void {
  const { errors } = data;
  if (!action.variable.startsWith('$')) errors.refuse('ONX_NOT_VAR', action.variable);
  const name = action.variable.slice(1);
  const variable = findVariable(data, name) ?? errors.refuse('ONX_VAR_NOT_FOUND', name);
  action.followed = createReference(data, variable) ?? refused('ENOMEM', 'too many references to variables');
  const track = addVariable(data, action.handler === 'onmax' ? '__max' : '__change', 8, 'u64');
  action.track = track ?? errors.refuse('ONX_VAR_CREATE_FAIL');
}

/** create_field_var */
function createFieldVariable(data: HistData, name: string): FieldVariable {
  const { errors } = data;
  if (data.fieldVariables.length >= MAX_FIELDS) errors.refuse('TOO_MANY_FIELD_VARS', name);
  const wanted = { data, text: name, flags: FIELD.VAR, varName: undefined };
  let value: HistField;
  try {
    value = createAtom(wanted);
  } catch (error) {
    errors.note('FIELD_VAR_PARSE_FAIL', name);
    throw error;
  }
  const variable = addVariable(data, name, value.size, value.type) ?? errors.refuse('VAR_CREATE_FIND_FAIL', name);
  return { variable, value };
}

function createSaved(data: HistData, { params }: HistAction): void {
  if (data.saved.length > 0) data.errors.refuse('TOO_MANY_SAVE_ACTIONS', '', 'EEXIST');
  for (const param of params) {
    try {
      data.saved.push(createFieldVariable(data, param));
    } catch (error) {
      data.errors.note('FIELD_VAR_CREATE_FAIL', param);
      throw error;
    }
  }
}

/** What a synthetic event gets (trace_action_create). */
function createTrace(data: HistData, action: HistAction): void {
  const { errors, scope } = data;
  const name = action.synthName ?? action.word;
  const synth = scope.findSynthetic(name) ?? errors.refuse('SYNTH_EVENT_NOT_FOUND', name);
  for (const [i, param] of action.params.entries()) {
    const parts = param.split('.');
    if (parts.length === 2) refused('EINVAL', `a parameter is NAME or SYSTEM.EVENT.NAME: ${param}`);
    const [system, eventName] = parts.length > 2 ? parts : [];
    const text = parts.length > 2 ? parts.slice(2).join('.') : param;
    const found = text.startsWith('$')
      ? findParam(data, action, text.slice(1), system, eventName)
      : fieldParam(data, action, text, system, eventName);
    if (found === undefined) throw new TraceError('EINVAL', `no ${param}`);
    if (!fits(synth.fields[i], found)) errors.refuse('SYNTH_TYPE_MISMATCH', text);
    const reference = createReference(data, found, system, eventName);
    action.values.push(reference ?? refused('ENOMEM', 'too many references to variables'));
  }
  if (action.params.length !== synth.fields.length) errors.refuse('SYNTH_COUNT_MISMATCH', synth.name);
  action.synth = synth;
}

/** The event that a name without one may be of, besides the trigger's own. */
const matched = ({ handler, matchSystem, matchEvent }: HistAction): [system?: string, event?: string] =>
  handler === 'onmatch' ? [matchSystem, matchEvent] : [];

function findParam(data: HistData, action: HistAction, name: string, system?: string, eventName?: string): HistField | undefined {
  const own = isOwnEvent(data, system, eventName) ? findVariable(data, name) : undefined;
  if (own !== undefined) return own;
  const [otherSystem, otherEvent] = system === undefined ? matched(action) : [system, eventName];
  const found = findEventVariable(data, name, otherSystem, otherEvent);
  if (found === undefined) data.errors.note('PARAM_NOT_FOUND', name);
  return found;
}

/** A field of the own event, else of the other one (trace_action_create_field_var). */
function fieldParam(
  data: HistData,
  action: HistAction,
  name: string,
  system?: string,
  eventName?: string,
): HistField | undefined {
  const own = isOwnEvent(data, system, eventName) ? attempt(() => createFieldVariable(data, name)) : undefined;
  if (own !== undefined) {
    data.fieldVariables.push(own);
    return own.variable;
  }
  const [otherSystem, otherEvent] = system === undefined ? matched(action) : [system, eventName];
  if (otherSystem === undefined || otherEvent === undefined) return undefined;
  return attempt(() => fieldOfOther(data, otherSystem, otherEvent, name));
}

/** Whether a trigger has keys of the same types (compatible_keys). */
const hasKeysLike = (target: HistData, { keys }: HistData): boolean =>
  keys.length === target.keys.length &&
  keys.every((key, i) => {
    const other = target.keys[i]!;
    return key.type === other.type && key.size === other.size && key.isSigned === other.isSigned;
  });

/**
 * A field of another event: a trigger with the same keys is created there, with a variable for it (create_field_var_hist).
 */
function fieldOfOther(data: HistData, system: string, eventName: string, name: string): HistField {
  const { errors, scope } = data;
  if (data.nested.length >= MAX_FIELDS) errors.refuse('TOO_MANY_FIELD_VARS', name);
  const event: HistEvent = scope.findEvent(system, eventName) ?? errors.refuse('EVENT_FILE_NOT_FOUND', name);
  const like = scope.triggersOf(event).find((other) => hasKeysLike(data, other)) ?? errors.refuse('HIST_NOT_FOUND', name);
  const find = (): HistField | undefined => findEventVariable(data, `synthetic_${name}`, system, eventName);
  const known = find();
  if (known !== undefined) return known;
  const keys = like.keys.map((key) => fieldName(key)).join(',');
  const filter = scope.filterOf(like);
  const text = `keys=${keys}:synthetic_${name}=${name}${filter === undefined ? '' : ` if ${filter}`}`;
  try {
    scope.createNested(event, text, errors);
  } catch (error) {
    errors.note('HIST_CREATE_FAIL', name);
    throw error;
  }
  data.nested.push({ event, text });
  return find() ?? errors.refuse('SYNTH_VAR_NOT_FOUND', name);
}

/** Whether a synthetic event's field takes a value (check_synth_field). */
function fits(field: SyntheticField | undefined, { flags, type = '', size, isSigned }: HistField): boolean {
  if (field === undefined) return false;
  if (type.includes('char[') && field.isText && field.isDynamic) return true;
  if (((flags & FIELD.STACKTRACE) !== 0) !== field.isStack) return false;
  if (field.isStack || field.type === type) return true;
  return field.size === size && (field.isText || field.isSigned === isSigned);
}

export const usesSynthetic = ({ actions }: HistData): readonly SyntheticEvent[] =>
  actions.flatMap(({ synth }) => (synth === undefined ? [] : [synth]));
