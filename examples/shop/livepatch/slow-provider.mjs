// A live patch that makes the payment provider slow: to see a transition that lasts.
import { setTimeout as delay } from 'node:timers/promises';

/** Replaces askProvider() of payment.mjs. */
export async function askProvider() {
  await delay(2000);
}
