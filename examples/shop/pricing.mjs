import { OutOfStock } from './errors.mjs';

const VAT_PERCENT = 19;
const FREE_SHIPPING_FROM = 10_000;
const SHIPPING_STEPS = [
  { grams: 500, cents: 390 },
  { grams: 2_000, cents: 590 },
  { grams: Number.POSITIVE_INFINITY, cents: 990 },
];

/** Prices a cart: `[{ item, quantity }]` in, lines, shipping, tax and total in cents out. Throws OutOfStock. */
export function priceCart(wanted) {
  const lines = wanted.map(priceLine);
  const goods = lines.reduce((sum, line) => sum + line.price, 0);
  const shipping = shippingCost(goods, cartWeight(wanted));
  const total = goods + shipping;
  return { lines, goods, shipping, tax: includedTax(total), total };
}

function priceLine({ item, quantity }) {
  checkStock(item, quantity);
  const full = item.price * quantity;
  return { item, quantity, price: full - quantityDiscount(full, quantity) };
}

function checkStock(item, quantity) {
  if (item.stock < quantity) throw new OutOfStock(item, quantity);
}

/** Five per cent from ten pieces on, ten per cent from fifty. */
function quantityDiscount(cents, quantity) {
  if (quantity >= 50) return Math.round(cents * 0.1);
  if (quantity >= 10) return Math.round(cents * 0.05);
  return 0;
}

function cartWeight(wanted) {
  return wanted.reduce((grams, { item, quantity }) => grams + item.weight * quantity, 0);
}

function shippingCost(goods, grams) {
  if (goods >= FREE_SHIPPING_FROM) return 0;
  return SHIPPING_STEPS.find((step) => grams <= step.grams).cents;
}

function includedTax(total) {
  return Math.round((total * VAT_PERCENT) / (100 + VAT_PERCENT));
}
