'use strict';
// Loaded before a service: takes a guard out of its code as it is read, to see that its absence is found out. What is
// to be replaced must be there, or the service does not start: a control that removes nothing would prove nothing.
const Module = require('node:module');

const { file, changes } = JSON.parse(process.env.SWITCHYARD_TEST_WITHOUT);
const compile = Module.prototype._compile;
Module.prototype._compile = function compileWithout(content, filename, ...rest) {
  if (!filename.endsWith(file)) return compile.call(this, content, filename, ...rest);
  let without = content;
  for (const { from, to } of changes) {
    if (!without.includes(from)) {
      process.stderr.write(`${file} has no ${JSON.stringify(from)} to be taken out\n`);
      process.exit(1);
    }
    without = without.replaceAll(from, to);
  }
  return compile.call(this, without, filename, ...rest);
};
