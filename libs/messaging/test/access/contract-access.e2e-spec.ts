import {
  type AccessRule,
  type CallContract,
  Field,
  type Identity,
  ROLES,
  type Role,
  SCOPES,
  type ServiceName,
  type StreamContract,
  allContracts,
  f,
  hasScope,
  makeCtx,
  serviceCtx,
} from '@switchyard/contracts';
import { AppError, newId } from '@switchyard/kernel';
import { usePlatform } from '@switchyard/testing';
import { type ServiceBus, openBusOf } from './service-bus';

/** No request has this field: a caller who passes the access check gets a VALIDATION_ERROR, and no handler runs. */
class NoSuchRequest {
  @Field(f.bool()) noSuchField!: boolean;
}

type BusOperation = CallContract | StreamContract;
type Guarded = BusOperation & { access: AccessRule };

const platform = usePlatform();
const AT_ONCE = 20;
const isGuarded = (contract: BusOperation): contract is Guarded => typeof contract.access !== 'string';
const guarded = allContracts().filter(
  (contract): contract is Guarded => (contract.kind === 'call' || contract.kind === 'stream') && isGuarded(contract),
);
const callerOf = ({ callers }: BusOperation): ServiceName => callers[0] as ServiceName;
const buses = new Map<ServiceName, ServiceBus>();

beforeAll(async () => {
  const services = new Set(guarded.flatMap((contract) => [callerOf(contract), ...(contract.access.ownWork ?? [])]));
  for (const service of services) buses.set(service, await openBusOf(service, platform.state));
});

afterAll(async () => {
  for (const { close } of buses.values()) await close();
});

async function answerOf(contract: BusOperation, sender: ServiceName, caller: Identity): Promise<string> {
  const { bus } = buses.get(sender) as ServiceBus;
  const request = { noSuchField: true };
  const leaving = new AbortController();
  try {
    if (contract.kind === 'call') await bus.call({ ...contract, request: NoSuchRequest }, makeCtx(caller), request);
    else
      await bus.stream({ ...contract, request: NoSuchRequest }, makeCtx(caller), request, { signal: leaving.signal });
    return 'answered';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  } finally {
    leaving.abort();
  }
}

const member = (role: Role | null, scopes: readonly string[]): Identity => ({
  spaceId: newId(),
  userId: newId(),
  role,
  scopes,
  credentialId: newId(),
  credentialType: 'api_key',
  applicationId: null,
});

interface Case {
  name: string;
  contract: BusOperation;
  sender: ServiceName;
  caller: Identity;
  mayPass: boolean;
}

/** Every role: with the scope, with all scopes except those that include it, and with none. */
function casesOf(contract: Guarded): Case[] {
  const { scope, role: least = 'VIEWER', systemKey, operator } = contract.access;
  const without = SCOPES.filter((other) => scope !== undefined && !hasScope([other], scope));
  const scopeSets = [scope === undefined ? [] : [scope], ['*'], without, []];
  return [null, ...ROLES].flatMap((role) =>
    scopeSets.map((scopes) => ({
      name: `${contract.subject} as ${role ?? 'nobody'} with [${scopes.length > 3 ? 'all others' : scopes.join()}]`,
      contract,
      sender: callerOf(contract),
      caller: member(role, scopes),
      mayPass:
        systemKey !== 'only' &&
        // No right in a Space opens operator routes.
        operator === undefined &&
        role !== null &&
        ROLES.indexOf(role) >= ROLES.indexOf(least) &&
        (scope === undefined || scopes.includes(scope) || scopes.includes('*')),
    })),
  );
}

async function wrong(cases: readonly Case[]): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < cases.length; at += AT_ONCE) {
    const some = cases.slice(at, at + AT_ONCE);
    const answers = await Promise.all(some.map(({ contract, sender, caller }) => answerOf(contract, sender, caller)));
    some.forEach(({ name, mayPass }, index) => {
      const expected = mayPass ? 'VALIDATION_ERROR' : 'FORBIDDEN';
      if (answers[index] !== expected) found.push(`${name}: ${answers[index] ?? ''} instead of ${expected}`);
    });
  }
  return found;
}

describe('the owner of an operation, asked over the bus', () => {
  test('admits callers with the role and the scope of its contract, and no others', async () => {
    expect(guarded.length).toBeGreaterThan(100);
    expect(await wrong(guarded.flatMap(casesOf))).toEqual([]);
  });

  test("takes an application's key where the contract says so, and only there", async () => {
    const cases = guarded.map((contract): Case => ({
      name: `${contract.subject} with an application's key`,
      contract,
      sender: callerOf(contract),
      caller: { ...member(null, ['*']), credentialType: 'system_key', applicationId: newId() },
      mayPass: contract.access.systemKey !== undefined,
    }));
    expect(cases.filter(({ mayPass }) => mayPass)).not.toHaveLength(0);
    expect(await wrong(cases)).toEqual([]);
  });

  test('lets a service do work of its own where the contract names it, and only there', async () => {
    const cases = guarded.flatMap((contract) =>
      contract.callers
        .filter((service) => buses.has(service))
        .map((sender): Case => ({
          name: `${contract.subject} for ${sender} itself`,
          contract,
          sender,
          caller: serviceCtx(sender),
          mayPass: contract.access.ownWork?.includes(sender) ?? false,
        })),
    );
    expect(cases.filter(({ mayPass }) => mayPass)).not.toHaveLength(0);
    expect(await wrong(cases)).toEqual([]);
  });
});
