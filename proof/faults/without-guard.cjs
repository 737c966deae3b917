'use strict';
// Loaded before a service: takes a guard out of its code as it is read, to see that its absence is found out. The
// control says how many places it changes. A service in which it changes fewer or more does not start: a control that
// removes nothing, or something else as well, proves nothing.
const { Server } = require('node:net');
const Module = require('node:module');
const { isMainThread } = require('node:worker_threads');

const placesOf = (text, part) => text.split(part).length - 1;

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function takeOut({ file, changes }) {
  const wanted = changes.reduce((sum, { places }) => sum + places, 0);
  let changed = 0;
  const compile = Module.prototype._compile;
  Module.prototype._compile = function compileWithout(content, filename, ...rest) {
    if (!filename.endsWith(file)) return compile.call(this, content, filename, ...rest);
    let without = content;
    for (const { from, to, places } of changes) {
      const found = placesOf(without, from);
      if (found !== places)
        stop(`${filename} has ${JSON.stringify(from)} in ${found} places, the control says ${places}`);
      changed += found;
      without = without.replaceAll(from, to);
    }
    process.stderr.write(`${filename} without its guard: ${changed} places changed\n`);
    return compile.call(this, without, filename, ...rest);
  };
  // All code is loaded by the time at which a service listens, and it is not ready before.
  const { listen } = Server.prototype;
  Server.prototype.listen = function listenWithout(...args) {
    if (changed !== wanted) stop(`${changed} places changed in ${file}, the control says ${wanted}`);
    return listen.apply(this, args);
  };
}

// Threads of the service load this file as well, without its environment.
if (isMainThread) takeOut(JSON.parse(process.env.SWITCHYARD_TEST_WITHOUT));
