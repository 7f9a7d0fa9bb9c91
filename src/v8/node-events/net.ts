import type { TraceField } from '../../tracepoint/fields.js';
import { int, pointer, string, u16, uint } from '../../tracepoint/fields.js';
import { nextId } from './boundary/object-ids.js';
import { connectionOf, deviceName, type PeerAndDescriptor, socketId } from './boundary/stream-handle.js';
import { listenToStreams } from './boundary/stream-hook.js';
import { type NodeEventSource, nodeEventSystem } from './node-event-system.js';

type Piece = [skbaddr: number, len: number, name: string, skaddr: number];
type Sent = [skbaddr: number, len: number, rc: number, name: string, skaddr: number];
type Connection = [skaddr: number, connection: PeerAndDescriptor];
type NetEvents = {
  net_dev_queue: Piece;
  net_dev_xmit: Sent;
  netif_receive_skb: Piece;
  server_connection: Connection;
  stream_end: Connection;
};

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

const connection = {
  args: ['skaddr', 'connection'],
  fields: {
    skaddr: pointer((skaddr) => skaddr),
    remote: string((_skaddr, { address }) => address),
    port: u16((_skaddr, { port }) => port),
    fd: int((_skaddr, { fd }) => fd),
  } satisfies Record<string, TraceField<Connection>>,
  print: '"skaddr=%p remote=%s port=%u fd=%d", REC->skaddr, __get_str(remote), REC->port, REC->fd',
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
    server_connection: connection,
    stream_end: connection,
  },
  sources: [source()],
});

/** The end of what the other end sends. */
const UV_EOF = -4095;

function source(): NodeEventSource<NetEvents> {
  return {
    events: ['net_dev_queue', 'net_dev_xmit', 'netif_receive_skb', 'server_connection', 'stream_end'],
    start: ({
      net_dev_queue: queued,
      net_dev_xmit: sent,
      netif_receive_skb: received,
      server_connection: connected,
      stream_end: ended,
    }) =>
      listenToStreams({
        accepted(handle) {
          if (connected.enabled()) connected(socketId(handle), connectionOf(handle));
        },
        queued(handle, id, bytes) {
          if (queued.enabled()) queued(id, bytes, deviceName(handle), socketId(handle));
        },
        sent(handle, id, bytes, status) {
          if (sent.enabled()) sent(id, bytes, status, deviceName(handle), socketId(handle));
        },
        read(handle, bytes) {
          if (bytes === UV_EOF && ended.enabled()) ended(socketId(handle), connectionOf(handle));
          if (bytes > 0 && received.enabled()) received(nextId(), bytes, deviceName(handle), socketId(handle));
        },
      }),
  };
}
