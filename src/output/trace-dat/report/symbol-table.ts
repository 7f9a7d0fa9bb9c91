import { compareAddresses } from '../../../base/address.js';
import { SymbolTable, type TextSymbol } from '../../../ftrace/symbols.js';
import { originalName } from '../kallsyms-lines.js';
import { moduleAt, parseKallsyms } from '../parse-kallsyms.js';

/** Sizes are not in kallsyms: a symbol reaches to the next one, and the last one of a text so far. */
const LAST_SIZE = 0x1000;
/** Symbols that lie farther apart belong to different texts. */
const FARTHEST = 2 ** 32;

/** The lines of kallsyms as the printers of `trace` want them. */
export function symbolTableOf(kallsyms: Buffer): SymbolTable {
  const symbols: TextSymbol[] = [];
  parseKallsyms(kallsyms, (address, type, start, end) => {
    const name = originalName(kallsyms.toString('utf8', start, end));
    symbols.push({ name, module: moduleAt(kallsyms, start), address, size: 0, params: [], type: String.fromCharCode(type) });
  });
  symbols.sort((a, b) => compareAddresses(a.address, b.address));
  const table = new SymbolTable();
  table.add(symbols.map((symbol, i) => ({ ...symbol, size: sizeOf(symbol, symbols[i + 1]) })));
  return table;
}

function sizeOf({ address }: TextSymbol, next: TextSymbol | undefined): number {
  const size = (next?.address ?? address) - address;
  return size > 0 && size < FARTHEST ? size : LAST_SIZE;
}
