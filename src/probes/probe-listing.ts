import type { ProbeArgument, ProbeDefinition, ProbeKind, WrittenPlace } from './probe-definition.js';

/** The letter that a line begins with. */
const LETTERS: Readonly<Record<ProbeKind, string>> = {
  kprobe: 'p',
  kretprobe: 'r',
  settled: 'r',
  fprobe: 'f',
  fexit: 'f',
  tprobe: 't',
  uprobe: 'p',
  uretprobe: 'r',
  eprobe: 'e',
};

/** What is listed behind the function. */
const SUFFIXES: Readonly<Partial<Record<ProbeKind, string>>> = { fexit: '%return', settled: '%settled' };

const hex = (value: number, digits = 0): string => `0x${BigInt.asUintN(64, BigInt(value)).toString(16).padStart(digits, '0')}`;

function symbolText(kind: ProbeKind, { module, symbol, offset }: Extract<WrittenPlace, { kind: 'symbol' }>): string {
  const name = module === undefined ? symbol : `${module}:${symbol}`;
  return `${name}${offset === 0 ? '' : `+${offset}`}${SUFFIXES[kind] ?? ''}`;
}

/** A place as it is listed, and as it is written to remove one probe of several. */
export function placeText({ kind, place }: Pick<ProbeDefinition, 'kind' | 'place'>): string {
  switch (place.kind) {
    case 'symbol':
      return symbolText(kind, place);
    case 'function line':
      return `${place.symbol}:${place.line}`;
    case 'address':
      return hex(place.address);
    case 'line':
      return `${place.file}:${place.line}`;
    case 'file offset':
      return `${place.file}:${hex(place.offset, 16)}`;
    case 'event':
      return kind === 'tprobe' ? place.event : `${place.system}.${place.event}`;
  }
}

const argumentText = ({ name, text }: ProbeArgument): string => `${name}=${text}`;

/** A probe's line in kprobe_events, uprobe_events and dynamic_events (trace_kprobe_show and its siblings), without its end. */
export function probeLine(definition: ProbeDefinition): string {
  const { kind, group, event, maxactive, args } = definition;
  const letter = `${LETTERS[kind]}${maxactive === 0 ? '' : maxactive}`;
  return [`${letter}:${group}/${event}`, placeText(definition), ...args.map(argumentText)].join(' ');
}

/** The file of an uprobe, with which its line in uprobe_profile begins. */
export const fileOf = ({ place }: ProbeDefinition): string => ('file' in place ? place.file : '');

/** The place of an event as it is written to remove a probe of it: `SYSTEM/EVENT` too. */
const isPlace = (definition: ProbeDefinition, word: string): boolean => {
  const { kind, place } = definition;
  if (kind !== 'eprobe' || place.kind !== 'event') return word === placeText(definition);
  return word === `${place.system}/${place.event}` || word === `${place.system}.${place.event}`;
};

/**
 * Whether a line that removes means this probe: the event's name, '' for any; the group, if one is named; then the place; then as
 * many arguments as are written, each as it is listed (trace_kprobe_match and its siblings).
 * @param words those behind the event's
 */
export function matchesRemoval(
  definition: ProbeDefinition,
  group: string | undefined,
  event: string,
  words: readonly string[],
): boolean {
  const [place, ...args] = words;
  if (event !== '' && event !== definition.event) return false;
  if (group !== undefined && group !== definition.group) return false;
  if (place === undefined) return true;
  const texts = definition.args.map(argumentText);
  return isPlace(definition, place) && args.every((arg, i) => arg === texts[i]);
}
