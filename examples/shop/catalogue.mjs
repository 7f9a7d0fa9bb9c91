const KINDS = ['teapot', 'kettle', 'cup', 'bowl', 'tray', 'strainer', 'tin', 'whisk'];
const MATERIALS = ['iron', 'glass', 'clay', 'copper', 'bamboo'];

/** The forty things on sale: the same names, prices (cents) and stocks at every start. */
export const CATALOGUE = KINDS.flatMap((kind, row) =>
  MATERIALS.map((material, column) => ({
    name: `${material} ${kind}`,
    price: 450 + row * 310 + column * 125,
    weight: 120 + row * 80 + column * 45,
    stock: 1_000_000,
  })),
);

/** The one item that is always sold out, so that ordering it fails. */
export const SOLD_OUT = { name: 'porcelain teapot', price: 9900, weight: 640, stock: 0 };
