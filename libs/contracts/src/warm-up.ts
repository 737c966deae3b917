import { allContracts, ownerOf } from './catalogue';
import { AnyContract } from './define/contracts';
import { Class } from './fields/spec';
import { validatorOf } from './fields/validate';
import { ServiceName } from './services';

function checksOf(contract: AnyContract, service: ServiceName): { type: Class; closed: boolean }[] {
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

/**
 * Compiles the checks that a service will need, one at a time between other work,
 * so that its first callers do not wait for the compiler.
 */
export async function warmUp(service: ServiceName, pause: () => Promise<void>): Promise<void> {
  for (const contract of allContracts()) {
    for (const { type, closed } of checksOf(contract, service)) {
      validatorOf(type, { closed });
      await pause();
    }
  }
}
