// A live patch: what is too expensive is refused before the payment provider is asked. The receipts go on where they are.
import { PaymentRefused } from '../errors.mjs';

/** What payment.mjs does not export. */
export const klpSymbols = { nextReceipt: 'nextReceipt', askProvider: 'askProvider', largest: 'LARGEST_CENTS' };

/** Replaces authorizePayment() of payment.mjs. */
export async function authorizePayment(customer, total) {
  if (total > klpSymbols.largest) throw new PaymentRefused(total);
  await klpSymbols.askProvider();
  return `${customer}-${klpSymbols.nextReceipt++}`;
}
