import { Controller, Module, type Type } from '@nestjs/common';
import {
  allContracts,
  type AnyContract,
  DatasetEvents,
  SERVICES,
  type ServiceName,
  TaskCalls,
  TaskSignals,
} from '@switchyard/contracts';
import { Handles } from '@switchyard/messaging';
import { AgentModule } from '../../apps/agent/src/agent.module';
import { DatasetModule } from '../../apps/dataset/src/dataset.module';
import { EventBusModule } from '../../apps/event-bus/src/event-bus.module';
import { GatewayModule } from '../../apps/gateway/src/gateway.module';
import { JobModule } from '../../apps/job/src/job.module';
import { KeyModule } from '../../apps/key/src/key.module';
import { RelayModule } from '../../apps/relay/src/relay.module';
import { SessionModule } from '../../apps/session/src/session.module';
import { TaskModule } from '../../apps/task/src/task.module';
import { handlerFaults } from './handlers';

const MODULES: Record<ServiceName, Type> = {
  agent: AgentModule,
  dataset: DatasetModule,
  'event-bus': EventBusModule,
  gateway: GatewayModule,
  job: JobModule,
  key: KeyModule,
  relay: RelayModule,
  session: SessionModule,
  task: TaskModule,
};

it('has a handler for every contract, in each service that it names', () => {
  expect(handlerFaults(MODULES, allContracts())).toEqual([]);
});

describe('a contract', () => {
  @Controller()
  class Planted {
    @Handles(DatasetEvents.recordsWritten) written(): void {
      return;
    }
  }
  @Module({ controllers: [Planted] })
  class PlantedModule {}
  @Module({})
  class EmptyModule {}

  const faultsWith = (service: ServiceName, contract: AnyContract): string[] => {
    const empty = Object.fromEntries(SERVICES.map((name) => [name, EmptyModule])) as Record<ServiceName, Type>;
    return handlerFaults({ ...empty, [service]: PlantedModule }, [contract]);
  };

  it.each([
    ['an event', DatasetEvents.recordsWritten, 'event event.dataset.records-written: event-bus needs a method'],
    ['a call', TaskCalls.create, 'call rpc.task.create: task needs a method'],
    ['a signal', TaskSignals.stopExecution, 'signal signal.task.stop-execution: task needs a method'],
  ])('without a handler is a fault: %s', (_, contract, fault) => {
    expect(faultsWith('gateway', contract).join()).toContain(fault);
  });

  it('with a handler in the service that it names has no fault; in any other service it has one', () => {
    expect(faultsWith('event-bus', DatasetEvents.recordsWritten)).toEqual([]);
    expect(faultsWith('job', DatasetEvents.recordsWritten).join()).toContain('job handles it and is not declared');
  });
});
