import type { NativeMachine } from '../elf/elf-file.js';
import * as arm64 from '../machines/arm64/probe-places.js';
import * as x86 from '../machines/x86-64/probe-places.js';
import type { MachinePlaces } from './code-place.js';

export const MACHINE_PLACES: Readonly<Record<NativeMachine, MachinePlaces>> = { 'x86-64': x86, arm64 };
