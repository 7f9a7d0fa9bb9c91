import { addressOfBits } from '../../base/address.js';
import { printHist } from '../../events/hist/index.js';
import type { TraceFile } from '../tracefs/node.js';
import { readOnly } from '../tracefs/text-file.js';
import type { EventFile } from './event-file.js';
import type { EventInstance } from './event-instance.js';

/** events/SYSTEM/EVENT/hist: the tables of its hist triggers (hist_show in kernel/trace/trace_events_hist.c). */
export const histFile = (instance: EventInstance, file: () => EventFile): TraceFile =>
  readOnly(() => {
    const symbols = instance.process.symbols();
    const named = (bits: bigint, withOffset: boolean): string => {
      const address = addressOfBits(bits);
      const symbol = symbols.find(address);
      if (symbol === undefined) return `0x${bits.toString(16)}`;
      const { name, module, size } = symbol;
      const place = withOffset ? `+0x${(address - symbol.address).toString(16)}/0x${size.toString(16)}` : '';
      return `${name}${place}${module === '' ? '' : ` [${module}]`}`;
    };
    return printHist(instance.hists.of(file().event), {
      symbol: (address) => named(address, false),
      symbolOffset: (address) => named(address, true),
      syscall: (nr) => instance.process.syscallName(nr),
    });
  });
