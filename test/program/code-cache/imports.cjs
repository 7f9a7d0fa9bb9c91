const { run } = require('./other.cjs');
const made = new Function('return import("node:path")');
Promise.all([import('node:path'), made(), run('import("node:path")')]).then((all) =>
  console.log(all.map((one) => typeof one.join)),
);
