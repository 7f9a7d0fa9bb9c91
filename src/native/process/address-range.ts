/** An address range; `end` is the address behind its last byte. */
export interface AddressRange {
  readonly start: number;
  readonly end: number;
}

/** Whether an address is in one of some ranges. */
export const isWithin = (address: number, ranges: readonly AddressRange[]): boolean =>
  ranges.some(({ start, end }) => address >= start && address < end);

/** How many bytes a range has. */
export const bytesIn = ({ start, end }: AddressRange): number => end - start;
