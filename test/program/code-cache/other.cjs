// biome-ignore lint/security/noGlobalEval: it is what the test is about
exports.run = (code) => eval(code);
exports.stack = new Error('other').stack;
exports.loadedBy = module.parent?.filename === require.main.filename;
