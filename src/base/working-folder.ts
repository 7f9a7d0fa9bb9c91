import { readlinkSync } from 'node:fs';
import { attempt } from './attempt.js';

/** The folder in which a process works, as the system sees it; '' if it cannot be seen. */
export const workingFolder = (pid: number | 'self'): string => attempt(() => readlinkSync(`/proc/${pid}/cwd`)) ?? '';
