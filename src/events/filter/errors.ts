import { type Errno, TraceError } from '../../base/errno.js';

/**
 * Why a filter is refused: the kernel's text, and the errno of the write. Linux answers a parenthesis or a quote without its
 * other half with the number of its own error code, so that these are ENOENT, EPERM and ESRCH.
 */
export const FILTER_ERRORS = {
  invalidOperator: ['Invalid operator', 'EINVAL'],
  tooManyOpen: ["Too many '('", 'ENOENT'],
  tooFewOpen: ["Too few '('", 'EPERM'],
  missingQuote: ['Missing matching quote', 'ESRCH'],
  operandTooLong: ['Operand too long', 'EINVAL'],
  expectString: ['Expecting string field', 'EINVAL'],
  expectDigit: ['Expecting numeric field', 'EINVAL'],
  illegalFieldOperator: ['Illegal operation for field type', 'EINVAL'],
  fieldNotFound: ['Field not found', 'EINVAL'],
  illegalInteger: ['Illegal integer value', 'EINVAL'],
  badSystemFilter: ["Couldn't find or set field in one of a subsystem's events", 'EINVAL'],
  tooManyTerms: ['Too many terms in predicate expression', 'EPERM'],
  meaningless: ['Meaningless filter expression', 'EINVAL'],
  invalidValue: ['Invalid value (did you forget quotes)?', 'EINVAL'],
  noFilter: ['No filter found', 'EINVAL'],
  /** Nothing but white space and parentheses. The kernel has no text for this one and the next. */
  empty: ['Error', 'EINVAL'],
  /** Something else stands where a field's name is to begin. */
  noField: ['Error', 'EPERM'],
} as const satisfies Readonly<Record<string, readonly [message: string, errno: Errno]>>;

export type FilterErrorKind = keyof typeof FILTER_ERRORS;

/** A filter that cannot be parsed. */
export class FilterError extends TraceError {
  readonly kind: FilterErrorKind;
  /** Where the kernel has its caret in the line of error_log, 0-based; often one behind the character that it means. */
  readonly position: number;

  constructor(kind: FilterErrorKind, position: number) {
    const [message, errno] = FILTER_ERRORS[kind];
    super(errno, message);
    this.kind = kind;
    this.position = position;
  }
}
