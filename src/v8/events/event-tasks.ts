/**
 * Whom an event is about, for the pid lists of events. A switch is recorded if they trace either of its tasks, and a wakeup if
 * they trace the task that runs or the one that is woken (event_filter_pid_sched_switch_probe_pre,
 * event_filter_pid_sched_wakeup_probe_pre).
 */
export interface EventTasks {
  /** Until `end`, events are those of a switch between these pids. */
  switching(prev: number, next: number): void;
  /** Until `end`, events are those of the wakeup of this pid. */
  waking(pid: number): void;
  /** Events are those of the task that runs again. */
  end(): void;
}
