/**
 * Files that kill processes and run in `npm test`: at least one death of each service, and one cut of each promise. All
 * others of that kind run at night.
 */
export const DAILY_FAULTS = [
  'apps/agent/test/crash.faults-spec.ts',
  'apps/agent/test/last-words.faults-spec.ts',
  'apps/agent/test/nats.faults-spec.ts',
  'apps/dataset/test/crash.faults-spec.ts',
  'apps/event-bus/test/outages.faults-spec.ts',
  'apps/gateway/test/openai-broken-off.faults-spec.ts',
  'apps/job/test/crash.faults-spec.ts',
  'apps/key/test/space-creation.faults-spec.ts',
  'apps/relay/test/crash.faults-spec.ts',
  'apps/session/test/crash.faults-spec.ts',
  'apps/session/test/turn-leases.faults-spec.ts',
  'apps/task/test/crash.faults-spec.ts',
  'libs/client/test/broken-connections.faults-spec.ts',
  'libs/messaging/test/cluster/lost-server.faults-spec.ts',
];

/** Long files: those that start servers of their own, and the last depth of a part whose shorter files run daily. */
export const NIGHTLY_E2E = [
  'apps/console/test/console-access.e2e-spec.ts',
  'apps/console/test/console-back.e2e-spec.ts',
  'apps/console/test/console-charts.e2e-spec.ts',
  'apps/console/test/console-datasets.e2e-spec.ts',
  'apps/console/test/console-dialogs.e2e-spec.ts',
  'apps/console/test/console-editors.e2e-spec.ts',
  'apps/console/test/console-endpoints.e2e-spec.ts',
  'apps/console/test/console-events.e2e-spec.ts',
  'apps/console/test/console-guides.e2e-spec.ts',
  'apps/console/test/console-operator.e2e-spec.ts',
  'apps/console/test/console-pictures.e2e-spec.ts',
  'apps/console/test/console-usage.e2e-spec.ts',
  'apps/dataset/test/import-leases.e2e-spec.ts',
  'apps/dataset/test/page-bytes.e2e-spec.ts',
  'apps/dataset/test/pgvector.e2e-spec.ts',
  'apps/dataset/test/storage-ceilings.e2e-spec.ts',
  'apps/dataset/test/vector-memory.e2e-spec.ts',
  'apps/event-bus/test/endpoint-replays.e2e-spec.ts',
  'apps/gateway/test/conformance/conformance.e2e-spec.ts',
  'apps/gateway/test/nats-api/deliveries.e2e-spec.ts',
  'apps/gateway/test/nats-api/limits.e2e-spec.ts',
  'apps/gateway/test/nats-api/seeds.e2e-spec.ts',
  'apps/gateway/test/nats-api/tls.e2e-spec.ts',
  'apps/gateway/test/openai-clients.e2e-spec.ts',
  'apps/gateway/test/unread-answers.e2e-spec.ts',
  'apps/key/test/external-issuer.e2e-spec.ts',
  'apps/key/test/operator-command.e2e-spec.ts',
  'apps/key/test/signing-keys.e2e-spec.ts',
  'apps/session/test/latency.e2e-spec.ts',
  'apps/task/test/fairness.e2e-spec.ts',
  'libs/client/test/ai-sdk.e2e-spec.ts',
  'libs/client/test/package.e2e-spec.ts',
  'libs/database/test/lost-connections.e2e-spec.ts',
  'libs/database/test/online-migrations.e2e-spec.ts',
  'libs/database/test/queued-events.e2e-spec.ts',
  'libs/messaging/test/cluster/stream-replicas.e2e-spec.ts',
  'libs/messaging/test/conformance/calls.e2e-spec.ts',
  'libs/messaging/test/conformance/events.e2e-spec.ts',
  'libs/messaging/test/conformance/frames.e2e-spec.ts',
  'libs/messaging/test/conformance/queued-events.e2e-spec.ts',
  'libs/messaging/test/conformance/repeated-calls.e2e-spec.ts',
  'libs/service/test/event-loop-watch.e2e-spec.ts',
  'proof/faults/test/controls.e2e-spec.ts',
  'tools/deploy/test/baseline.e2e-spec.ts',
  'tools/deploy/test/image-commands.e2e-spec.ts',
  'tools/deploy/test/nats-services-pod.e2e-spec.ts',
  'tools/deploy/test/streams.e2e-spec.ts',
  'tools/docs/test/pages.e2e-spec.ts',
  'tools/generate/test/generated-clients.e2e-spec.ts',
  'tools/launcher/test/tls/tls.e2e-spec.ts',
  'tools/observability/test/alerts.e2e-spec.ts',
  'tools/observability/test/profile.e2e-spec.ts',
];

/** `daily`: `npm test`. `nightly`: the rest. `whole`: both. `named`: the files that the arguments say. */
export type Suite = 'daily' | 'nightly' | 'whole' | 'named';

const only = (files: readonly string[]): string[] => ['--runTestsByPath', ...files];
const without = (files: readonly string[]): string[] =>
  files.flatMap((file) => ['--testPathIgnorePatterns', `/${file.replaceAll('.', String.raw`\.`)}$`]);

/** Arguments of jest for the files of a suite. A new file runs daily if it kills nothing, nightly if it does. */
export function filesOf(suite: Suite, project: 'e2e' | 'faults'): string[] {
  if (suite === 'daily') return project === 'e2e' ? without(NIGHTLY_E2E) : only(DAILY_FAULTS);
  if (suite === 'nightly') return project === 'e2e' ? only(NIGHTLY_E2E) : without(DAILY_FAULTS);
  return [];
}
