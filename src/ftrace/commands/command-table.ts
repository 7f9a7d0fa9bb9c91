/**
 * The commands of set_ftrace_filter (register_ftrace_command) except `mod`, which belongs to the filter: the parameter of each,
 * and how often its probes fire without one.
 */
export const FUNCTION_COMMANDS = {
  traceon: { takes: 'count' },
  traceoff: { takes: 'count' },
  snapshot: { takes: 'count' },
  stacktrace: { takes: 'count' },
  /** The first dump stops all tracing, so there is only one; the rest after the name is ignored. */
  dump: { takes: 'nothing', times: 1 },
  cpudump: { takes: 'nothing' },
  enable_event: { takes: 'event' },
  disable_event: { takes: 'event' },
} as const;

/** The name of a command. */
export type CommandName = keyof typeof FUNCTION_COMMANDS;
