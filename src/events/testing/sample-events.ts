import { defineEvent, type EventDefinition } from '../define.js';
import { address, array, dynamic, one } from '../fields.js';

/** Events that use every kind of field and every function of print formats: what readers of formats are tried on. */
export const SAMPLE_EVENTS: readonly EventDefinition[] = [
  defineEvent('sample', 'numbers', {
    fields: { a: one('u8'), b: one('short'), c: one('int'), d: one('unsigned int'), e: one('long'), f: one('u64'), g: one('s8') },
    print: `"a=%u b=%d c=%d c=%5d|%-5d|%05d d=%u d=%08x e=%ld f=%llu f=%#llx g=%d %%", REC->a, REC->b, REC->c, REC->c, REC->c, REC->c, REC->d, REC->d, REC->e, REC->f, REC->f, REC->g`,
  }),
  defineEvent('sample', 'expressions', {
    fields: { a: one('unsigned int'), b: one('unsigned int'), long: one('u64') },
    print: String.raw`"%u %u %u %u %u %llu %s %s %d\n", REC->a + REC->b * 2, (REC->a | 0xf0) & ~0x3, REC->a >> 4, REC->a % 7, REC->a == REC->b ? 1 : 2, (((u64)(REC)->a << 32) | (REC)->b), REC->a > 100 && REC->b ? "both" : "one", ((REC->a == 0) || (REC->b < 5)) ? "few" : "many", (int)REC->long`,
  }),
  defineEvent('sample', 'named', {
    fields: { state: one('unsigned int'), flags: one('unsigned long'), kind: one('u16') },
    print: `"state=%s flags=%s kind=%s", __print_symbolic(REC->state, { 0, "idle" }, { 1, "busy" }, { 1 << 4, "gone" }), __print_flags(REC->flags, "|", { 0x01, "R" }, { 0x02, "W" }, { 0x40UL, "X" }), REC->kind & 1 ? __print_symbolic(REC->kind, { 1, "one" }, { 3, "three" }) : "even"`,
  }),
  defineEvent('sample', 'texts', {
    fields: { comm: array('char', 16), name: dynamic('char'), n: one('u8'), other: dynamic('char') },
    print: String.raw`"comm=%s name=\"%s\" n=%d [%10s] [%-10s]", REC->comm, __get_str(name), REC->n, __get_str(other), __get_str(other)`,
  }),
  defineEvent('sample', 'arrays', {
    fields: { bytes: array('u8', 6), words: dynamic('u32'), data: dynamic('u8'), length: one('u32') },
    print: `"mac=%s third=%u words=%s data=%s length=%d", __print_hex(REC->bytes, 6), REC->bytes[2], __print_array(__get_dynamic_array(words), __get_dynamic_array_len(words) / 4, 4), __print_hex_str(__get_dynamic_array(data), __get_dynamic_array_len(data)), __get_dynamic_array_len(data)`,
  }),
  defineEvent('sample', 'pointers', {
    fields: { func: address, object: one('u64') },
    print: `"func=%ps at=%pS object=%p", (void *)REC->func, (void *)REC->func, (void *)REC->object`,
  }),
];
