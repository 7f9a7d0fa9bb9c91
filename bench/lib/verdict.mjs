const number = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));

/**
 * Prints one result: `NAME  RATIO  (target: ...)  what was divided by what`. A result without a target is printed for comparison.
 * @param {{ name: string, ratio: number, unit?: string, target?: string, detail: string }} result
 */
export const verdict = ({ name, ratio, unit = '', target, detail }) => {
  console.log(
    `${name.padEnd(34)} ${number(ratio).padStart(8)}${unit.padEnd(4)} ${target ? `(target: ${target})` : '(reported)'}  ${detail}`,
  );
};

/** Prints that a benchmark could not run here, and why. */
export const cannot = (name, reason) => console.log(`${name.padEnd(34)}  not run: ${reason}`);
