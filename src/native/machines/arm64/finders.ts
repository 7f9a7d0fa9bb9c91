/** What finds the sites of functions on this machine. */
export { SiteFinder } from './find-site.js';
export { JumpFinder, JumpSite } from './jump-finder.js';
export { CallSite } from './site.js';
export { stubNames } from './stubs.js';
