import { type EventField, type FieldSpecs, type FieldValue, layOut } from './fields.js';

/** What a `format` file says of an event. */
export interface EventFormat {
  /** The group that the event belongs to. */
  readonly system: string;
  readonly name: string;
  readonly id: number;
  readonly fields: Readonly<Record<string, EventField>>;
  /** The text after `print fmt: `. */
  readonly print: string;
  /** The event that an event probe is attached to: `SYSTEM.EVENT`. */
  readonly attached?: string;
}

/** What few events are. */
export interface EventTraits {
  /** Whether the event's fields are not known before its first record: then another event takes its place. */
  readonly isOpen?: boolean;
  /** The channel that it is made of: a thread that has not met it finds it by that name. */
  readonly source?: string;
  /** The names of the arguments of its tracepoint; absent: it has none. */
  readonly args?: readonly string[];
  /** The program passes functions, and records have their addresses. */
  readonly takesFunctions?: boolean;
}

/** The declaration of an event; everything else follows from it. */
export interface EventDeclaration<F extends FieldSpecs = FieldSpecs> extends EventTraits {
  readonly fields: F;
  /** The text after `print fmt: `, a C format and its arguments. */
  readonly print: string;
  /** The fields follow each other without a gap. */
  readonly packed?: boolean;
  /** Whether the event has an `id` file: of group ftrace the kernel gives one only to those that can be enabled. */
  readonly hasId?: boolean;
  /** Whether it has a `trigger` file. */
  readonly hasTrigger?: boolean;
}

/** A field that holds addresses of text, 8 bytes each. */
export interface AddressField {
  /** From the record's start. */
  readonly offset: number;
  /** Whether there are addresses up to the record's end. */
  readonly isRest: boolean;
}

/** An event: its record's layout, and how it prints. */
export interface EventDefinition<F extends FieldSpecs = FieldSpecs> extends Omit<EventFormat, 'id' | 'fields'>, EventTraits {
  readonly fields: { readonly [N in keyof F]: EventField };
  readonly specs: F;
  /** The offsets of addresses of text. */
  readonly addresses: readonly AddressField[];
  /** The byte after the last field: where what is dynamic begins. */
  readonly end: number;
  /** Bytes of a record without what is dynamic. */
  readonly size: number;
  readonly hasId: boolean;
  readonly hasTrigger: boolean;
}

/** An event that has its id. */
export type TraceEvent<F extends FieldSpecs = FieldSpecs> = EventDefinition<F> & { readonly id: number };

/** The values of a record, by the names of its fields. */
export type ValuesOf<E extends EventDefinition> = { readonly [N in keyof E['specs']]: FieldValue<E['specs'][N]> };

const common = (type: string, offset: number, size: number, signed = false): EventField => ({
  type,
  array: '',
  offset,
  size,
  signed,
});

/** The header that every record begins with. */
export const COMMON_FIELDS = {
  common_type: common('unsigned short', 0, 2),
  common_flags: common('unsigned char', 2, 1),
  common_preempt_count: common('unsigned char', 3, 1),
  common_pid: common('int', 4, 4, true),
} as const satisfies Readonly<Record<string, EventField>>;

/** Bytes of the header. */
export const COMMON_BYTES = 8;

/** Defines an event (TRACE_EVENT in include/trace/trace_events.h). */
export function defineEvent<const F extends FieldSpecs>(
  system: string,
  name: string,
  { fields: specs, print, packed = false, hasId = false, hasTrigger = false, ...traits }: EventDeclaration<F>,
): EventDefinition<F> {
  const { fields, end, size } = layOut(specs, COMMON_BYTES, packed);
  const addresses = Object.entries(specs).flatMap(([field, { isAddress, shape }]) =>
    isAddress ? [{ offset: fields[field]!.offset, isRest: shape === 'rest' }] : [],
  );
  const typed = fields as EventDefinition<F>['fields'];
  return {
    system,
    name,
    fields: typed,
    specs,
    addresses,
    end,
    size,
    print,
    hasId,
    hasTrigger,
    ...traits,
  };
}
