/** The process's memory as its kernel shows it. */
export const MEMORY = '/proc/self/mem';

/** Whether the permission model lets this thread write the process's memory. */
export const mayWriteMemory = (): boolean => process.permission?.has('fs.write', MEMORY) ?? true;
