export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/**
 * Measures two things in turn, the first of each pair changing from pair to pair, so that a machine that slows down or
 * speeds up slows both. Resolves with the median of each and the median, least and greatest ratio a/b of a pair.
 * @param {() => number | Promise<number>} a
 * @param {() => number | Promise<number>} b
 */
export const measurePairs = async (a, b, pairs) => {
  const left = [];
  const right = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    for (const turn of pair % 2 === 0 ? ['a', 'b'] : ['b', 'a']) {
      if (turn === 'a') left.push(await a());
      else right.push(await b());
    }
  }
  const ratios = left.map((value, index) => value / right[index]);
  return { a: median(left), b: median(right), ratio: median(ratios), least: Math.min(...ratios), greatest: Math.max(...ratios) };
};

/** `0.98 to 1.03 in 15 pairs` */
export const spread = ({ least, greatest }, pairs) => `${least.toFixed(3)} to ${greatest.toFixed(3)} in ${pairs} pairs`;
