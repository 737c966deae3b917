const { AsyncLocalStorage } = require('node:async_hooks');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** Compiled code by file name. Each test file loads its modules anew, up to 2,000 of them, mostly the same. */
const compiled = new Map();

const { compileFunction } = vm;
vm.compileFunction = (source, parameters, options) => {
  if (!options?.parsingContext) return compileFunction(source, parameters, options);
  const before = compiled.get(options.filename);
  if (before?.source === source) return compileFunction(source, parameters, { ...options, cachedData: before.code });
  const result = compileFunction(source, parameters, { ...options, produceCachedData: true });
  if (result.cachedData) compiled.set(options.filename, { source, code: result.cachedData });
  return result;
};

const storages = new Set();

for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function (...args) {
    storages.add(this);
    return original.apply(this, args);
  };
}

/**
 * The environment of a test file. Node keeps every AsyncLocalStorage that was used, and copies all of them to each new
 * promise: without the end here, a worker's promises would become slower with every file.
 */
module.exports = class NodeEnvironment extends TestEnvironment {
  async teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    await super.teardown();
  }
};
