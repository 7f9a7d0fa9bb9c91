import { defineEvent } from '../../define.js';
import { address, array, dynamic, one, rest } from '../../fields.js';

/** An event with a field of each kind that filters know. */
export const SAMPLE = defineEvent('test', 'sample', {
  fields: {
    a: one('int'),
    b: one('unsigned long'),
    c: one('u8'),
    d: one('s8'),
    e: one('s64'),
    f: one('u32'),
    at: address,
    comm: array('char', 16),
    name: dynamic('char'),
    label: one('const char *'),
    buf: rest('char'),
    ip4: array('u8', 4),
    pair: array('int', 2),
    triple: array('u16', 3),
    list: dynamic('int'),
  },
  print: '""',
});
