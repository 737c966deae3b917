import { allContracts, ownerOf } from './all-contracts';
import { AnyContract } from './define/define-contracts';
import { Class } from './fields/field-schema';
import { ServiceName } from './services';

export interface CheckedType {
  type: Class;
  closed: boolean;
}

function checksOf(contract: AnyContract, service: ServiceName): CheckedType[] {
  switch (contract.kind) {
    case 'call':
      if (contract.callers.includes(service))
        return [
          { type: contract.request, closed: true },
          { type: contract.reply, closed: false },
        ];
      return ownerOf(contract) === service ? [{ type: contract.request, closed: true }] : [];
    case 'stream': {
      const { frame } = contract;
      const frames =
        contract.callers.includes(service) && typeof frame === 'function' ? [{ type: frame, closed: false }] : [];
      return frames.length > 0 || ownerOf(contract) === service || contract.callers.includes(service)
        ? [{ type: contract.request, closed: true }, ...frames]
        : [];
    }
    case 'event':
      if (contract.source === service) return [{ type: contract.data, closed: true }];
      return contract.consumers.includes(service) ? [{ type: contract.data, closed: false }] : [];
    case 'signal':
      if (contract.senders.includes(service)) return [{ type: contract.data, closed: true }];
      return contract.hearers.includes(service) ? [{ type: contract.data, closed: false }] : [];
  }
}

/** Classes that a service validates. The build precompiles the validators; each is loaded on first use. */
export const checkedTypes = (service: ServiceName): CheckedType[] =>
  allContracts().flatMap((contract) => checksOf(contract, service));
