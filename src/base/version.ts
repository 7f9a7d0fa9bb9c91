/** fentry's own version: that of package.json. */
export const VERSION = '0.1.0';
