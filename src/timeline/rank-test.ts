/** Standard deviations beyond which a probability is smaller than any number. */
const FAR = 38;

/**
 * The probability that two samples of one distribution differ in their ranks as much as these do: the two-sided test of Mann and
 * Whitney, in the normal approximation, corrected for ties and for continuity. 1 if one sample is empty.
 */
export function rankTest(before: readonly number[], after: readonly number[]): number {
  const [n, m] = [before.length, after.length];
  if (n === 0 || m === 0) return 1;
  const all = [...before.map((value) => ({ value, isAfter: false })), ...after.map((value) => ({ value, isAfter: true }))];
  all.sort((a, b) => a.value - b.value);
  let ranks = 0;
  let ties = 0;
  for (let at = 0; at < all.length; ) {
    let end = at + 1;
    while (end < all.length && all[end]!.value === all[at]!.value) end++;
    const equal = end - at;
    // Equal values share the mean of their ranks, which count from 1.
    const rank = (at + 1 + end) / 2;
    for (; at < end; at++) if (all[at]!.isAfter) ranks += rank;
    ties += equal ** 3 - equal;
  }
  const size = n + m;
  const variance = ((n * m) / 12) * (size + 1 - ties / (size * (size - 1)));
  if (!(variance > 0)) return 1;
  const distance = Math.abs(ranks - (m * (size + 1)) / 2) - 0.5;
  return distance <= 0 ? 1 : Math.min(1, normalTails(distance / Math.sqrt(variance)));
}

/** Both tails of the normal distribution beyond z standard deviations: the chance of a value so far away. */
export function normalTails(z: number): number {
  if (z > FAR) return 0;
  const density = Math.exp((-z * z) / 2) * Math.sqrt(2 / Math.PI);
  if (z < 2) {
    // The series of the distribution around 0.
    let term = z;
    let sum = z;
    for (let k = 1; Math.abs(term) > 1e-16; k++) sum += term *= (z * z) / (2 * k + 1);
    return 1 - density * sum;
  }
  // The continued fraction of the tail.
  let fraction = z;
  for (let k = 60; k > 0; k--) fraction = z + k / fraction;
  return density / fraction;
}

/**
 * The probabilities of many tests, each so that the chance to take any of them for a change by mistake is not larger than it says
 * (Holm's correction). In the order of the tests.
 */
export function correctedForMany(probabilities: readonly number[]): readonly number[] {
  const order = Array.from(probabilities.keys()).sort((a, b) => probabilities[a]! - probabilities[b]!);
  const corrected = new Array<number>(probabilities.length);
  let least = 0;
  for (const [i, at] of order.entries()) {
    least = Math.max(least, Math.min(1, probabilities[at]! * (order.length - i)));
    corrected[at] = least;
  }
  return corrected;
}
