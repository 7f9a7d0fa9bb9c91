import { TEXT_HIGH } from '../../arch/arch.js';

const OWN_HIGH = TEXT_HIGH.toString(16);

/** Gives the addresses in a kallsyms text other high bits, so that they differ from those of another process. */
export const rebaseSymbols = (text: string, high: number): string =>
  text.replaceAll(new RegExp(`^${OWN_HIGH}(?=[0-9a-f]{8} )`, 'gm'), high.toString(16).padStart(8, '0'));
