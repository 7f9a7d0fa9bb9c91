/** `1,234,567`: a whole number that reads easily. Intl does the same, and takes ten milliseconds at its first call. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
