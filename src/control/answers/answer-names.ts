/** The names of the answers: each is a file of answers/, with its JSON beside it. */
export const ANSWER_NAMES = [
  'bt',
  'bt_locals',
  'waiting',
  'waiting_locals',
  'waiting_forced',
  'waiting_locals_forced',
  'slow',
  'handles',
  'handles_forced',
] as const;
export type AnswerName = (typeof ANSWER_NAMES)[number];

/** The answers that a process without JavaScript gives. */
export const NATIVE_ANSWER_NAMES: readonly AnswerName[] = ['bt', 'bt_locals'];
