const least = [20, 19];

/** Ends the process with one sentence when this Node is too old. */
export function checkNodeVersion() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > least[0] || (major === least[0] && minor >= least[1])) return;
  console.error(`Switchyard needs Node ${least.join('.')} or later; this is ${process.versions.node}.`);
  process.exit(1);
}
