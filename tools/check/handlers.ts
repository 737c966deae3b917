import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { PATTERN_EXTRAS_METADATA } from '@nestjs/microservices/constants';
import { type AnyContract, natsSubject, ownerOf, type ServiceName } from '@switchyard/contracts';
import { controllersOf } from '../../apps/gateway/src/openapi/controllers-of';

/** The services in which a contract needs a handler. */
function handlingServices(contract: AnyContract): readonly string[] {
  switch (contract.kind) {
    case 'call':
    case 'stream':
      return [ownerOf(contract)];
    case 'event':
      return contract.consumers;
    case 'signal':
      return contract.hearers;
  }
}

/** The contracts that controllers of this module handle with `@Handles`. */
export function handledContracts(module: Type): Set<AnyContract> {
  const contracts = new Set<AnyContract>();
  for (const { prototype } of controllersOf(module) as { prototype: object }[])
    for (const method of methodsOf(prototype)) {
      const extras = Reflect.getMetadata(PATTERN_EXTRAS_METADATA, method) as { contract?: AnyContract } | undefined;
      if (extras?.contract) contracts.add(extras.contract);
    }
  return contracts;
}

function methodsOf(prototype: object): object[] {
  const methods: object[] = [];
  for (let at = prototype; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const { value } of Object.values(Object.getOwnPropertyDescriptors(at)) as { value?: unknown }[])
      if (typeof value === 'function') methods.push(value);
  return methods;
}

/**
 * Contracts without a handler where they need one, and handlers in services that the contract does not name. A call
 * without a handler fails at its callers; an event stays in its outbox; a signal is ignored.
 */
export function handlerFaults(
  modules: Readonly<Record<ServiceName, Type>>,
  contracts: readonly AnyContract[],
): string[] {
  const faults: string[] = [];
  for (const [service, module] of Object.entries(modules)) {
    const handled = handledContracts(module);
    for (const contract of contracts) {
      const isNeeded = handlingServices(contract).includes(service);
      const name = `${contract.kind} ${natsSubject(contract)}`;
      if (isNeeded && !handled.has(contract))
        faults.push(`${name}: ${service} needs a method with @Handles, in a controller that its module lists`);
      if (!isNeeded && handled.has(contract)) faults.push(`${name}: ${service} handles it and is not declared for it`);
    }
  }
  return faults;
}
