import type { EventDefinition } from './define.js';

/** A field that holds addresses of text, 8 bytes each. */
export interface AddressField {
  /** From the record's start. */
  readonly offset: number;
  /** Whether there are addresses up to the record's end. */
  readonly isRest: boolean;
}

/** Where the addresses of an event's records stand. */
export const addressFields = ({ fields, specs }: EventDefinition): readonly AddressField[] =>
  Object.entries(specs)
    .filter(([, { isAddress }]) => isAddress)
    .map(([name, { shape }]) => ({ offset: fields[name]!.offset, isRest: shape === 'rest' }));
