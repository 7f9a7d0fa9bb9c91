import { compileGlob } from '../../base/glob.js';
import type { TextMatch } from '../../events/filter/predicate.js';
import type { PortableAssembler } from '../machine/assembler.js';
import { Label, mem, type Register } from '../machine/operands.js';

/** What one byte of a text may be: ranges, by their first and last. */
type ByteRanges = readonly (readonly [first: number, last: number])[];
/** Bytes that stand one after the other. */
type Segment = readonly ByteRanges[];

/** Registers: `text` and `end` are kept, the others are lost. */
export interface MatchRegisters {
  readonly text: Register;
  readonly end: Register;
  readonly at: Register;
  readonly byte: Register;
  readonly limit: Register;
  readonly bit: Register;
}

const literal = (text: string): Segment => Array.from(Buffer.from(text), (byte) => [[byte, byte]]);

/** A character, what a `?` or a class of a glob takes. */
const PIECE = /\*|\\[\s\S]|\[!?[^\]][^\]]*\]|[\s\S]/g;

function rangesOf(piece: string): ByteRanges {
  const { test } = compileGlob(piece);
  const ranges: [number, number][] = [];
  for (let byte = 1; byte < 256; byte++) {
    if (!test(String.fromCharCode(byte))) continue;
    const last = ranges.at(-1);
    if (last?.[1] === byte - 1) last[1] = byte;
    else ranges.push([byte, byte]);
  }
  return ranges;
}

/** What stands between the places where anything may be. */
function segmentsOf(text: string, match: TextMatch): readonly Segment[] {
  switch (match) {
    case 'full':
      return [literal(text)];
    case 'front':
      return [literal(text), []];
    case 'end':
      return [[], literal(text)];
    case 'middle':
      return [[], literal(text), []];
    case 'glob': {
      const segments: ByteRanges[][] = [[]];
      for (const [piece] of text.matchAll(PIECE)) {
        if (piece === '*') segments.push([]);
        else if (piece.length > 1 || piece === '?') segments.at(-1)!.push(rangesOf(piece));
        else segments.at(-1)!.push(...literal(piece));
      }
      return segments;
    }
  }
}

/** Emits the comparison of a text between two addresses with that of a filter: goes to `yes` or `no`. */
export function emitTextMatch(
  code: PortableAssembler,
  { text, match }: { readonly text: string; readonly match: TextMatch },
  registers: MatchRegisters,
  yes: Label,
  no: Label,
): void {
  const { at, end } = registers;
  const segments = segmentsOf(text, match);
  const [first = [], ...others] = segments;
  const last = others.pop();
  code.mov(at, registers.text);
  emitFits(code, registers, first.length, no);
  emitSegment(code, registers, first, no);
  code.add(at, first.length);
  for (const middle of others) {
    const next = new Label();
    const found = new Label();
    const again = code.label();
    emitFits(code, registers, middle.length, no);
    emitSegment(code, registers, middle, next);
    code.jmp(found);
    code.bind(next);
    code.add(at, 1);
    code.jmp(again);
    code.bind(found);
    code.add(at, middle.length);
  }
  if (last === undefined) code.cmp(at, end);
  else {
    emitFits(code, registers, last.length, no);
    code.lea(at, mem(end, -last.length));
    emitSegment(code, registers, last, no);
    code.jmp(yes);
    return;
  }
  code.jump('e', yes);
  code.jmp(no);
}

function emitFits(code: PortableAssembler, { at, end, limit }: MatchRegisters, length: number, no: Label): void {
  code.lea(limit, mem(at, length));
  code.cmp(limit, end);
  code.jump('a', no);
}

function emitSegment(code: PortableAssembler, { at, byte, bit }: MatchRegisters, segment: Segment, no: Label): void {
  for (const [i, ranges] of segment.entries()) {
    const taken = new Label();
    code.movzx(byte, mem(at, i), 8);
    for (const [first, last] of ranges) {
      code.lea(bit, mem(byte, -first));
      code.cmp(bit, last - first);
      code.jump('be', taken);
    }
    code.jmp(no);
    code.bind(taken);
  }
}
