/**
 * How many halves of words the function returns that a realm makes for place-chain.ts: all that are looked at of a frame. Not
 * there, because every start of a program loads what captures stacks.
 */
export const PEEKS = 12;
