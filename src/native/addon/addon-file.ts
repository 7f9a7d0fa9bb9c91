import * as arm64 from '../machines/arm64/addon-code.js';
import * as x86 from '../machines/x86-64/addon-code.js';
import { processMachine } from '../process/process-machine.js';

/** The shared object of addon-words.ts for this machine. */
export const addonFile = (): Uint8Array => (processMachine.name === 'arm64' ? arm64 : x86).addonFile();
