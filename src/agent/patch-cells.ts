import type { Realm } from '../arch/v8/realm/realm.js';
import type { Cells, SiteServices } from '../tracers/runtime.js';

/** The letter of each service's cell; arch/v8 says where in a text each stands. */
const LETTERS = {
  exit: 'x',
  exitCoroutine: 'y',
  suspend: 'z',
  resumeAwait: 'w',
  resumeYield: 'v',
  depth: 'd',
  unwind: 'u',
} as const satisfies Readonly<Record<keyof SiteServices, string>>;

/** The realm's cells as the tracers want them. */
export function patchCells({ cells }: Realm): Cells {
  return {
    arm: (n, trampoline) => void cells.arm(n, trampoline),
    disarm: (n) => void cells.disarm(n),
    setServices(services) {
      for (const [name, letter] of Object.entries(LETTERS)) {
        cells.setService(letter, services[name as keyof SiteServices] as never);
      }
    },
  };
}
