/**
 * The commands of set_ftrace_filter (register_ftrace_command) but `mod`, which is a filter's own: what each takes after its
 * name, and how often its probes fire when nothing is taken.
 */
export const FUNCTION_COMMANDS = {
  traceon: { takes: 'count' },
  traceoff: { takes: 'count' },
  snapshot: { takes: 'count' },
  stacktrace: { takes: 'count' },
  /** The first dump stops all tracing, so there is only one; what follows the name is not looked at. */
  dump: { takes: 'nothing', times: 1 },
  cpudump: { takes: 'nothing' },
  enable_event: { takes: 'event' },
  disable_event: { takes: 'event' },
} as const;

/** The name of a command. */
export type CommandName = keyof typeof FUNCTION_COMMANDS;
