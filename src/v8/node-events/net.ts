import type { TraceField } from '../../tracepoint/fields.js';
import { int, pointer, string, uint } from '../../tracepoint/fields.js';
import { nextId } from './boundary/object-ids.js';
import { deviceName, socketId } from './boundary/stream-handle.js';
import { listenToStreams } from './boundary/stream-hook.js';
import { type NodeEventSource, nodeEventSystem } from './node-event-system.js';

type Piece = [skbaddr: number, len: number, name: string, skaddr: number];
type Sent = [skbaddr: number, len: number, rc: number, name: string, skaddr: number];
type NetEvents = { net_dev_queue: Piece; net_dev_xmit: Sent; netif_receive_skb: Piece };

const piece = {
  args: ['skbaddr', 'len', 'name', 'skaddr'],
  fields: {
    skbaddr: pointer((skbaddr) => skbaddr),
    len: uint((_skbaddr, len) => len),
    name: string((_skbaddr, _len, name) => name),
    skaddr: pointer((_skbaddr, _len, _name, skaddr) => skaddr),
  } satisfies Record<string, TraceField<Piece>>,
  print: '"dev=%s skbaddr=%p len=%u skaddr=%p", __get_str(name), REC->skbaddr, REC->len, REC->skaddr',
} as const;

/**
 * Data of sockets and pipes, one record for each piece that Node gives to the system or takes from it
 * (include/trace/events/net.h). Of TLS the plain text.
 */
export const net = nodeEventSystem<NetEvents>('net', {
  events: {
    net_dev_queue: piece,
    net_dev_xmit: {
      args: ['skbaddr', 'len', 'rc', 'name', 'skaddr'],
      fields: {
        skbaddr: pointer((skbaddr) => skbaddr),
        len: uint((_skbaddr, len) => len),
        rc: int((_skbaddr, _len, rc) => rc),
        name: string((_skbaddr, _len, _rc, name) => name),
        skaddr: pointer((_skbaddr, _len, _rc, _name, skaddr) => skaddr),
      } satisfies Record<string, TraceField<Sent>>,
      print: '"dev=%s skbaddr=%p len=%u rc=%d skaddr=%p", __get_str(name), REC->skbaddr, REC->len, REC->rc, REC->skaddr',
    },
    netif_receive_skb: piece,
  },
  sources: [source()],
});

function source(): NodeEventSource<NetEvents> {
  return {
    events: ['net_dev_queue', 'net_dev_xmit', 'netif_receive_skb'],
    start: ({ net_dev_queue: queued, net_dev_xmit: sent, netif_receive_skb: received }) =>
      listenToStreams({
        queued(handle, id, bytes) {
          if (queued.enabled()) queued(id, bytes, deviceName(handle), socketId(handle));
        },
        sent(handle, id, bytes, status) {
          if (sent.enabled()) sent(id, bytes, status, deviceName(handle), socketId(handle));
        },
        read(handle, bytes) {
          if (bytes > 0 && received.enabled()) received(nextId(), bytes, deviceName(handle), socketId(handle));
        },
      }),
  };
}
