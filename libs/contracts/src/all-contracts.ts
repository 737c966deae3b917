import * as activity from './activity';
import * as agent from './agent';
import * as dataset from './dataset';
import { AnyContract } from './define/define-contracts';
import * as eventBus from './event-bus';
import * as gateway from './gateway';
import * as job from './job';
import * as key from './key';
import * as lostWork from './lost-work';
import * as relay from './relay';
import * as session from './session';
import * as task from './task';

const KINDS = new Set(['call', 'stream', 'event', 'signal']);

const isContract = (value: unknown): value is AnyContract =>
  typeof value === 'object' && value !== null && 'kind' in value && KINDS.has(String(value.kind));

function contractsIn(modules: object[]): AnyContract[] {
  const groups = modules.flatMap((module) => Object.values(module) as unknown[]);
  const contracts = groups
    .filter((group): group is object => typeof group === 'object' && group !== null)
    .flatMap((group) => Object.values(group) as unknown[])
    .filter(isContract);
  // A contract may be in several tables.
  return [...new Set(contracts)];
}

/** All contracts. NATS permissions and service boundaries are derived from them. */
export const allContracts = (): AnyContract[] =>
  contractsIn([activity, agent, dataset, eventBus, gateway, job, key, lostWork, relay, session, task]);

export const natsSubject = (contract: AnyContract): string => {
  switch (contract.kind) {
    case 'call':
    case 'stream':
      return `rpc.${contract.subject}`;
    case 'event':
      return `event.${contract.name}`;
    case 'signal':
      return `signal.${contract.name}`;
  }
};

/** The service that handles a call or a stream. */
export const ownerOf = (contract: { subject: string }): string => contract.subject.split('.')[0] ?? '';
