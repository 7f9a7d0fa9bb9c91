/** The numbers and words of trace-cmd.dat(5), version 7 (and what version 6 shares with it). */

/** First bytes of every file, before the version's digits. */
export const MAGIC = Uint8Array.of(0x17, 0x08, 0x44, ...Buffer.from('tracing', 'latin1'));

/** Bytes of a section's header: u16 id, u16 flags, u32 description, u64 size. */
export const SECTION_HEADER_SIZE = 16;
export const SECTION_FLAG_COMPRESSED = 1;

/** Ids of the sections; the first six are the ids of the options that point to them, too. */
export const SECTION = {
  HEADERS: 16,
  FTRACE_EVENTS: 17,
  EVENT_FORMATS: 18,
  KALLSYMS: 19,
  PRINTK: 20,
  CMDLINES: 21,
  OPTIONS: 0,
  FLYRECORD: 3,
  STRINGS: 15,
  LATENCY: 22,
  /**
   * fentry's own: where symbols are defined. No option points to it, because trace-cmd warns of options that it does not know; it
   * is one of the sections that follow each other from the file's start.
   */
  PLACES: 0x6670,
} as const;
export type SectionName = keyof typeof SECTION;

/** What trace-cmd calls each section in the file's strings. */
export const SECTION_TITLES: Readonly<Record<SectionName, string>> = {
  HEADERS: 'headers',
  FTRACE_EVENTS: 'ftrace events',
  EVENT_FORMATS: 'events format',
  KALLSYMS: 'kallsyms',
  PRINTK: 'printk',
  CMDLINES: 'command lines',
  OPTIONS: 'options',
  FLYRECORD: 'buffer flyrecord',
  STRINGS: 'strings',
  LATENCY: 'buffer latency',
  PLACES: 'fentry places',
};

/** Ids of the options. */
export const OPTION = {
  DONE: 0,
  DATE: 1,
  CPUSTAT: 2,
  BUFFER: 3,
  TRACECLOCK: 4,
  UNAME: 5,
  OFFSET: 7,
  CPUCOUNT: 8,
  VERSION: 9,
  TRACEID: 11,
  PROCMAPS: 13,
  TSC2NSEC: 14,
  HEADERS: 16,
  FTRACE_EVENTS: 17,
  EVENT_FORMATS: 18,
  KALLSYMS: 19,
  PRINTK: 20,
  CMDLINES: 21,
  BUFFER_TEXT: 22,
} as const;
