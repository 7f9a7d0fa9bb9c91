/** Packets of the GDB remote serial protocol: `$`, data, `#`, and the sum of the data's bytes as two hexadecimal digits. */

const sumOf = (data: string): string =>
  (Buffer.from(data, 'latin1').reduce((sum, byte) => sum + byte, 0) & 0xff).toString(16).padStart(2, '0');

export const packet = (data: string): string => `$${data}#${sumOf(data)}`;

const ESCAPE = /\}(.)/gs;
const ESCAPED = 0x20;
const REPEAT = /(.)\*(.)/gs;
/** A repeat count is a printable character: this for none. */
const NO_REPEAT = 29;

/** What stands in a packet: with its escapes and repeats undone. */
const plain = (data: string): string =>
  data
    .replace(REPEAT, (_, one: string, count: string) => one.repeat(1 + count.charCodeAt(0) - NO_REPEAT))
    .replace(ESCAPE, (_, one: string) => String.fromCharCode(one.charCodeAt(0) ^ ESCAPED));

/** Takes packets out of what comes from a stub, in pieces of any size. */
export class PacketReader {
  #pending = '';

  /** The packets that are complete now. What is between them (acknowledgements) is dropped. @throws Error for a wrong sum */
  read(piece: string): string[] {
    this.#pending += piece;
    const packets: string[] = [];
    for (;;) {
      const start = this.#pending.indexOf('$');
      const end = this.#pending.indexOf('#', start);
      if (start < 0 || end < 0 || end + 3 > this.#pending.length) return packets;
      const data = this.#pending.slice(start + 1, end);
      const sum = this.#pending.slice(end + 1, end + 3);
      this.#pending = this.#pending.slice(end + 3);
      if (sum.toLowerCase() !== sumOf(data)) throw new Error(`a packet whose sum is ${sum}, not ${sumOf(data)}`);
      packets.push(plain(data));
    }
  }
}
