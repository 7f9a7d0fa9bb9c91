import { setTimeout as delay } from 'node:timers/promises';
import { PaymentRefused } from './errors.mjs';

const LARGEST_CENTS = 500_000;
let nextReceipt = 1;

/** Asks the payment provider (which takes its time) for `total` cents; resolves with the receipt, rejects with PaymentRefused. */
export async function authorizePayment(customer, total) {
  await askProvider();
  if (total > LARGEST_CENTS) throw new PaymentRefused(total);
  return `${customer}-${nextReceipt++}`;
}

async function askProvider() {
  await delay(1);
}
