/** An option of a verb, as util.parseArgs takes it. */
export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
}

/** A verb's options by their long names. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;
