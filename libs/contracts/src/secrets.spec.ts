import 'reflect-metadata';
import { allContracts } from './all-contracts';
import { Field, fieldsOf } from './fields/field';
import { type SecretField, putSecrets, secretFieldsOf, withoutSecrets } from './fields/secret-fields';
import { type Class, type Spec, f } from './fields/field-schema';

/** Field names that suggest a secret. */
const SUSPICIOUS =
  /^(?:password|passphrase|secret|token|key|value|seed|credential)$|(?:Password|Secret|Token|Key|Seed|Credential)$/;

/** Such fields without a secret, with the class that declares them. */
const NO_SECRETS: readonly string[] = [
  // Ids and names of records.
  'ActivityEntry.key',
  'PlatformChange.value',
  'NoteReachedLimit.value',
  'ActivitySlice.beforeKey',
  'AwaitToolResult.key',
  'CancelRequested.key',
  'CauseNode.key',
  'CauseNode.parentKey',
  'CloseTurn.key',
  'CompactForTurn.key',
  'DeferTurn.key',
  'LeasedTurn.key',
  'PauseTurn.key',
  'SaveCheckpoint.key',
  'ToolAnswered.key',
  'ToolResultsOf.key',
  'TurnRecord.key',
  // Public keys of NATS users.
  'CreateNatsAccount.publicKey',
  'NatsAccountView.publicKey',
  'NatsAccountWithSeed.publicKey',
  'OperatorNatsAccountView.publicKey',
  'PreviousNatsUser.publicKey',
  'RotateNatsAccount.publicKey',
  // Idempotency keys of requests.
  'CompleteRequest.requestKey',
  'EmbedRequest.requestKey',
  'EmitByHand.idempotencyKey',
  'EmitEvent.idempotencyKey',
  'EnvelopeDetails.idempotencyKey',
  'EnvelopeView.idempotencyKey',
  // The view of a credential, and a record of a user.
  'ImportLine.value',
  'Me.credential',
];

interface FoundField {
  at: string;
  secret: boolean;
}

function classesIn(spec: Spec): Class[] {
  return [...(spec.item ? classesIn(spec.item) : []), ...(spec.type ? [spec.type()] : [])];
}

function suspiciousIn(type: Class, seen = new Set<Class>()): FoundField[] {
  if (seen.has(type)) return [];
  seen.add(type);
  return fieldsOf(type).flatMap(({ name, spec, options }) => [
    ...(SUSPICIOUS.test(name) && spec.kind !== 'int' && spec.kind !== 'bool'
      ? [{ at: `${type.name}.${name}`, secret: options.secret === true }]
      : []),
    ...classesIn(spec).flatMap((inner) => suspiciousIn(inner, seen)),
  ]);
}

const typesOf = (contract: ReturnType<typeof allContracts>[number]): Class[] => {
  switch (contract.kind) {
    case 'call':
      return [contract.request, contract.reply];
    case 'stream':
      return [contract.request, ...(typeof contract.frame === 'function' ? [contract.frame] : [])];
    case 'event':
    case 'signal':
      return [contract.data];
  }
};

const found = [
  ...new Map(
    allContracts()
      .flatMap(typesOf)
      .flatMap((type) => suspiciousIn(type))
      .map((each) => [each.at, each]),
  ).values(),
];

class Item {
  @Field(f.text()) name!: string;
  @Field(f.text(), { secret: true }) value!: string;
}

class Outer {
  @Field(f.text(), { secret: true, optional: true }) password?: string;
  @Field(f.list(f.object(() => Item)), { optional: true }) items?: Item[];
  @Field(f.object(() => Item), { optional: true, nullable: true })
  item?: Item | null;
  @Field(f.record(100, f.text()), { secret: true, optional: true }) headers?: Record<string, string>;
  @Field(f.object(() => Outer), { optional: true })
  outer?: Outer;
}

const data = (): Outer => ({
  password: 'p',
  items: [
    { name: 'a', value: '1' },
    { name: 'b', value: '2' },
  ],
  item: { name: 'c', value: '3' },
  headers: { 'x.y': 'h' },
});

describe('the secret fields of a value', () => {
  it('are taken out at any depth, and put back where they were', () => {
    const secrets = {};
    const given = data();
    const shown = withoutSecrets(secretFieldsOf(Outer), given, secrets);
    expect(given).toEqual(data());
    const carried = JSON.parse(JSON.stringify(shown)) as object;
    expect(carried).toEqual({ items: [{ name: 'a' }, { name: 'b' }], item: { name: 'c' } });
    expect(secrets).toEqual({
      password: 'p',
      'items.0.value': '1',
      'items.1.value': '2',
      'item.value': '3',
      headers: { 'x.y': 'h' },
    });
    putSecrets(carried, JSON.parse(JSON.stringify(secrets)) as Record<string, unknown>);
    expect(carried).toEqual(data());
  });

  it('may be missing or null', () => {
    const secrets = {};
    expect(withoutSecrets(secretFieldsOf(Outer), { item: null, items: [] }, secrets)).toEqual({
      item: null,
      items: [],
    });
    expect(secrets).toEqual({});
  });

  it('are not written to paths that do not exist', () => {
    const carried = { items: [] };
    putSecrets(carried, { 'items.3.value': 'x', 'none.value': 'x', '__proto__.polluted': 'x' });
    expect(carried).toEqual({ items: [] });
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  it('are none in a class that declares none', () => {
    class Plain {
      @Field(f.text()) text!: string;
    }
    expect(secretFieldsOf(Plain)).toEqual([] satisfies SecretField[]);
  });
});

describe('fields of contracts that sound secret', () => {
  it('are marked as secret, or listed here as none', () => {
    const unmarked = found.filter(({ secret }) => !secret).map(({ at }) => at);
    expect(unmarked.filter((at) => !NO_SECRETS.includes(at)).sort()).toEqual([]);
  });

  it('are listed here only while they are there', () => {
    const unmarked = new Set(found.filter(({ secret }) => !secret).map(({ at }) => at));
    expect(NO_SECRETS.filter((at) => !unmarked.has(at))).toEqual([]);
  });

  it('make the digest of a request guessable: operations with an idempotency key store a keyed one', () => {
    // Each of these passes its context through `keyedFingerprint` before `Database.once`.
    const keyed = ['agent.create', 'key.add-member', 'key.create-operator-space', 'key.create-secret'];
    const idempotent = allContracts().flatMap((contract) =>
      contract.kind === 'call' && contract.idempotent && secretFieldsOf(contract.request).length > 0
        ? [contract.subject]
        : [],
    );
    expect(idempotent.sort()).toEqual(keyed);
  });

  it('are in no event, signal or frame: these have several receivers, or are stored', () => {
    const spread = allContracts().flatMap((contract) =>
      contract.kind === 'call' || contract.kind === 'stream' ? [] : [contract.data],
    );
    expect(spread.flatMap((type) => (secretFieldsOf(type).length > 0 ? [type.name] : []))).toEqual([]);
  });
});
