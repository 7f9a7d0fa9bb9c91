/**
 * The property of the global object that conditions of probes call while there are any: the program does not find it among the
 * object's keys.
 */
export const PROBE_HIT = '$fentryProbe';
