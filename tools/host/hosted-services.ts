import type { Type } from '@nestjs/common';
import { HostedModule, type Hosting, type RunningService, readConfig, startBusService } from '@switchyard/service';
import type { ServiceName } from '../launcher/service-names';

type StartHosted = (hosting: Hosting) => Promise<RunningService>;

const onBus =
  (load: () => Promise<Type>): StartHosted =>
  async (hosting) =>
    startBusService(HostedModule.of(await load(), hosting));

async function startGateway(hosting: Hosting): Promise<RunningService> {
  const [{ GatewayConfig }, { GatewayModule }, { startGateway: start }] = await Promise.all([
    import('../../apps/gateway/src/gateway.config.js'),
    import('../../apps/gateway/src/gateway.module.js'),
    import('../../apps/gateway/src/start-gateway.js'),
  ]);
  return start(HostedModule.of(GatewayModule, hosting), readConfig(GatewayConfig, hosting.settings));
}

/** A host loads only the code of its own services. */
export const HOSTED_SERVICES: Readonly<Record<ServiceName, StartHosted>> = {
  gateway: startGateway,
  agent: onBus(async () => (await import('../../apps/agent/src/agent.module.js')).AgentModule),
  dataset: onBus(async () => (await import('../../apps/dataset/src/dataset.module.js')).DatasetModule),
  'event-bus': onBus(async () => (await import('../../apps/event-bus/src/event-bus.module.js')).EventBusModule),
  job: onBus(async () => (await import('../../apps/job/src/job.module.js')).JobModule),
  key: onBus(async () => (await import('../../apps/key/src/key.module.js')).KeyModule),
  relay: onBus(async () => (await import('../../apps/relay/src/relay.module.js')).RelayModule),
  session: onBus(async () => (await import('../../apps/session/src/session.module.js')).SessionModule),
  task: onBus(async () => (await import('../../apps/task/src/task.module.js')).TaskModule),
};
