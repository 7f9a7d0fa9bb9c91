import { MAX_VARS } from './hist-attributes.js';
import { FIELD, type HistData, type HistField, has, newField } from './hist-data.js';
import type { HistEvent } from './hist-event.js';

/** The variable that a trigger declares (find_var_field). */
export const findVariable = (data: HistData, name: string): HistField | undefined =>
  data.values.find((field) => has(field, FIELD.VAR) && field.varName === name);

/** The variable of any trigger of an event (find_file_var). */
function variableOf(data: HistData, event: HistEvent, name: string): HistField | undefined {
  for (const other of data.scope.triggersOf(event)) {
    const found = findVariable(other, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The variable of the trigger itself or of another trigger of its event (find_var). */
export const variableBeside = (data: HistData, name: string): HistField | undefined =>
  findVariable(data, name) ?? variableOf(data, data.event, name);

/** The event that has a variable: the one that is named, else the only one with a variable of that name (find_var_file). */
function eventWith(data: HistData, name: string, system?: string, eventName?: string): HistEvent | undefined {
  if (system !== undefined) return data.scope.findEvent(system, eventName ?? '');
  let found: HistEvent | undefined;
  for (const other of data.scope.withVariables()) {
    if (other.event === found || findVariable(other, name) === undefined) continue;
    if (found !== undefined) {
      data.errors.note('VAR_NOT_UNIQUE', name);
      return undefined;
    }
    found = other.event;
  }
  return found;
}

/** The variable of that name on the events that the trigger's onmatch actions name; null when two of them have one. */
function matchedVariable(data: HistData, name: string): HistField | undefined | null {
  let found: HistField | undefined;
  for (const { handler, matchSystem, matchEvent } of data.actions) {
    const event = handler === 'onmatch' ? data.scope.findEvent(matchSystem, matchEvent) : undefined;
    const variable = event && variableOf(data, event, name);
    if (variable === undefined) continue;
    if (found !== undefined) {
      data.errors.note('VAR_NOT_UNIQUE', name);
      return null;
    }
    found = variable;
  }
  return found;
}

/** The variable that a reference means (find_event_var). */
export function findEventVariable(data: HistData, name: string, system?: string, eventName?: string): HistField | undefined {
  if (system === undefined || eventName === undefined) {
    const matched = matchedVariable(data, name);
    if (matched !== undefined) return matched ?? undefined;
  }
  const event = eventWith(data, name, system, eventName);
  return event && variableOf(data, event, name);
}

/** Makes `target` stand for a variable (init_var_ref). */
export function referTo(target: HistField, variable: HistField, system?: string, eventName?: string): void {
  target.varIndex = variable.varIndex;
  target.size = variable.size;
  target.isSigned = variable.isSigned;
  target.flags |= variable.flags & (FIELD.TIMESTAMP | FIELD.TIMESTAMP_USECS | FIELD.STACKTRACE);
  target.system = system;
  target.eventName = eventName;
  target.name = variable.varName ?? variable.name;
  target.type = variable.type;
}

/** The trigger's reference to a variable, which is created once; undefined when it has too many (create_var_ref). */
export function createReference(data: HistData, variable: HistField, system?: string, eventName?: string): HistField | undefined {
  const { references } = data;
  const known = references.find(({ owner, varIndex }) => owner === variable.owner && varIndex === variable.varIndex);
  if (known !== undefined) return known;
  if (references.length >= MAX_VARS) return undefined;
  const reference = newField(variable.owner, FIELD.VAR_REF);
  referTo(reference, variable, system, eventName);
  references.push(reference);
  return reference;
}

/** Whether an event is the trigger's own, by names that a parameter gives; without any it is (find_target_event_var). */
export const isOwnEvent = ({ event }: HistData, system?: string, eventName?: string): boolean =>
  system === undefined || (system === event.system && eventName === event.name);
