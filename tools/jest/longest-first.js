const Sequencer = require('@jest/test-sequencer').default;

/**
 * Files that take long for their size. Where jest has not measured them yet it begins with the largest files, and one of
 * these at the end would run while the other worker has nothing to do.
 */
const LONG = [
  'proof/faults/test/',
  'signing-keys',
  'conformance/events',
  'key-revocation',
  'lost-connections',
  'conformance/conformance',
  'libs/client/test/package',
  'pgvector',
  'event-bus/test/application-changes',
  'event-bus/test/restore',
  'agent/test/replicas',
  'agent/test/crash',
  'gateway/test/killed-clients',
  'gateway/test/canary',
  'neighbours/test/neighbours',
  'external-issuer',
  'console-dialogs',
  'console-runs',
  'console-session',
  'launcher/test/tls',
  'task/test/fairness',
  'abandoned-changes',
  'task/test/skew',
  'tools/docs/test/pages',
];

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const isLong = ({ path }) => LONG.some((name) => path.includes(name));
    const sorted = super.sort(tests);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
};
