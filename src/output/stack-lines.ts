import type { RecordedStack } from '../ftrace/deepest-stack.js';
import type { SymbolTable } from '../ftrace/symbols.js';
import { type SymbolPlaceText, symbolText } from './symbol-printer.js';

/** How `%pS` prints an address. */
const STYLE = { module: true, offset: true, address: false };

const DISABLED = `#
#  Stack tracer disabled
#
# To enable the stack tracer, either add 'stacktrace' to the
# kernel command line
# or 'echo 1 > /proc/sys/kernel/stack_tracer_enabled'
#
`;

/**
 * The bytes in use at each frame. A frame that was not measured has those of its caller, and the outermost ones have 0: its
 * bytes count as those of the next measured frame that it called.
 */
function depthsOf({ frames, measured }: RecordedStack, symbols: SymbolTable): number[] {
  const known: (number | undefined)[] = [];
  let next = 0;
  for (const frame of frames) {
    const address = measured[next]?.address;
    const isMeasured = address !== undefined && (address === frame || symbols.find(frame)?.address === address);
    known.push(isMeasured ? measured[next++]!.depth : undefined);
  }
  let around = 0;
  return known
    .reverse()
    .map((depth) => {
      around = depth ?? around;
      return around;
    })
    .reverse();
}

/**
 * The text of stack_trace (t_show in kernel/trace/trace_stack.c), by lines.
 * @param isOff the stack tracer is off, and there is no maximum
 * @param placeText the place of a frame, if that is to be shown
 */
export function* stackLines(
  stack: RecordedStack | undefined,
  symbols: SymbolTable,
  isOff: boolean,
  placeText?: SymbolPlaceText,
): Generator<string> {
  const frames = stack?.frames ?? [];
  yield `        Depth    Size   Location    (${frames.length} entries)\n        -----    ----   --------\n`;
  if (isOff) yield DISABLED;
  if (stack === undefined) return;
  const depths = depthsOf(stack, symbols);
  for (const [i, frame] of frames.entries()) {
    const size = depths[i]! - (depths[i + 1] ?? 0);
    const columns = `${String(i).padStart(3)}) ${String(depths[i]).padStart(8)}   ${String(size).padStart(5)}   `;
    const symbol = placeText && symbols.find(frame);
    const place = symbol && placeText(symbol, frame);
    yield `${columns}${symbolText(symbols, STYLE, frame)}${place === undefined ? '' : ` (${place})`}\n`;
  }
}
