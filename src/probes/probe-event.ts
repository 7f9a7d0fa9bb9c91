import { type AddressField, COMMON_BYTES, type EventDefinition } from '../events/define.js';
import { address, dynamic, type EventField, type FieldSpec } from '../events/fields.js';
import { bytesOf } from './parse-argument.js';
import { type ProbeArgument, type ProbeDefinition, type ProbeKind, RETURN_KINDS, rowOf } from './probe-definition.js';

/** Bytes of an address. */
const ADDRESS_BYTES = 8;

const isReturn = (kind: ProbeKind): boolean => RETURN_KINDS.includes(kind);

/** The fields that say where a probe was hit: addresses of text. */
const headFields = (kind: ProbeKind): readonly string[] => {
  if (kind === 'eprobe') return [];
  return isReturn(kind) ? ['__probe_func', '__probe_ret_ip'] : ['__probe_ip'];
};

/** What stands before the arguments in the print format, and its values. */
function headFormat(kind: ProbeKind): string {
  if (kind === 'eprobe') return '';
  return isReturn(kind) ? '(%lx <- %lx)' : '(%lx)';
}

function argumentFormat({ name, type }: ProbeArgument): string {
  const { format } = rowOf(type.name);
  return ` ${name}=${type.count === undefined ? format : `{${Array(type.count).fill(format).join(',')}}`}`;
}

function argumentValues({ name, type }: ProbeArgument): readonly string[] {
  const value = (text: string): string => (rowOf(type.name).isText ? `__get_str(${text})` : `REC->${text}`);
  if (type.count === undefined) return [value(name)];
  return Array.from({ length: type.count }, (_, i) => value(`${name}[${i}]`));
}

/** The print format (__set_print_fmt in kernel/trace/trace_probe.c). */
export function probePrint({ kind, args }: Pick<ProbeDefinition, 'kind' | 'args'>): string {
  const format = `"${headFormat(kind)}${args.map(argumentFormat).join('')}"`;
  return [format, ...headFields(kind).map((name) => `REC->${name}`), ...args.flatMap(argumentValues)].join(', ');
}

function specOf({ type }: ProbeArgument): FieldSpec {
  const { shown, isText } = rowOf(type.name);
  const { count } = type;
  if (isText) return count === undefined ? dynamic('char') : { type: 'char', shape: 'dynamics', count, isAddress: false };
  const isAddress = type.name === 'symbol';
  return { type: shown, shape: count === undefined ? 'one' : 'array', count: count ?? 1, isAddress };
}

function fieldOf(argument: ProbeArgument, offset: number): EventField {
  const { type } = argument;
  const { shown, isText, signed } = rowOf(type.name);
  const isArray = type.count !== undefined;
  const common = { offset, size: bytesOf(type), signed };
  if (isText) return { type: `__data_loc char[]${isArray ? `[${type.count}]` : ''}`, array: '', ...common };
  // The kernel's format file does not show how long the array is.
  return { type: shown, array: isArray ? '[]' : '', ...common };
}

/**
 * The event of a probe (kprobe_event_define_fields and its siblings, traceprobe_define_arg_fields): where it was hit, then the
 * values of the arguments without a gap.
 */
export function probeEvent(definition: ProbeDefinition): EventDefinition {
  const { kind, group, event, args, place } = definition;
  const fields: Record<string, EventField> = Object.create(null);
  const specs: Record<string, FieldSpec> = Object.create(null);
  const addresses: AddressField[] = [];
  let end = COMMON_BYTES;
  for (const name of headFields(kind)) {
    fields[name] = { type: 'unsigned long', array: '', offset: end, size: ADDRESS_BYTES, signed: false };
    specs[name] = address;
    addresses.push({ offset: end, isRest: false });
    end += ADDRESS_BYTES;
  }
  for (const argument of args) {
    const { name, type } = argument;
    fields[name] = fieldOf(argument, end);
    specs[name] = specOf(argument);
    for (let i = 0; type.name === 'symbol' && i < (type.count ?? 1); i++) {
      addresses.push({ offset: end + i * ADDRESS_BYTES, isRest: false });
    }
    end += bytesOf(type);
  }
  const print = probePrint(definition);
  const attached = place.kind === 'event' && kind === 'eprobe' ? { attached: `${place.system}.${place.event}` } : {};
  return {
    system: group,
    name: event,
    fields,
    specs,
    addresses,
    end,
    size: end,
    print,
    hasId: true,
    hasTrigger: true,
    ...attached,
  };
}
