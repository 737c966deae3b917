import 'reflect-metadata';
import { type Class, fieldsOf, secretFieldsOf } from '@switchyard/contracts';
import { isReachableOverNats } from '../auth/reachable-over-nats';
import { GatewayModule } from '../gateway.module';
import { controllersOf } from './controllers-of';
import { operationsOf } from './list-operations';
import { answerClassesOf, withoutSecretFields } from '../nats-api/secret-answer-fields';

const SOUNDS_SECRET =
  /^(?:password|passphrase|secret|token|key|value|seed|credential)$|(?:Password|Secret|Token|Key|Seed|Credential)$/;

/** Fields of answers that sound secret and are not. */
const NO_SECRETS: readonly string[] = [
  'EnvelopeDetails.idempotencyKey',
  'EnvelopeView.idempotencyKey',
  // The kind and id of a credential, without its value.
  'Me.credential',
  'NatsAccountView.publicKey',
  'NatsAccountWithSeed.publicKey',
  // Names of nodes and of groups.
  'ShownCause.key',
  'ShownCause.parentKey',
  'UsageRow.key',
];

function soundingSecret(type: Class, seen = new Set<Class>()): string[] {
  if (seen.has(type)) return [];
  seen.add(type);
  return fieldsOf(type).flatMap(({ name, spec, options }) => [
    ...(SOUNDS_SECRET.test(name) && options.secret !== true ? [`${type.name}.${name}`] : []),
    ...[spec, spec.item, spec.item?.item].flatMap((part) => (part?.type ? soundingSecret(part.type(), seen) : [])),
  ]);
}

const reachable = controllersOf(GatewayModule)
  .flatMap((controller) => operationsOf(controller))
  .filter(({ path, endpoint }) => isReachableOverNats(path.replace(/\{(\w+)\}/g, ':$1'), endpoint));

const hasSecrets = (type: Class): boolean => secretFieldsOf(type).length > 0;

describe('answers of routes that the NATS API leads to', () => {
  it('are found', () => {
    expect(reachable.length).toBeGreaterThan(100);
    expect(reachable.filter(({ endpoint }) => answerClassesOf(endpoint).some(hasSecrets)).length).toBeGreaterThan(5);
  });

  it('mark each field that sounds secret, or list it here', () => {
    const seen = new Set<Class>();
    const found = reachable.flatMap(({ endpoint }) =>
      answerClassesOf(endpoint).flatMap((type) => soundingSecret(type, seen)),
    );
    expect(found.sort()).toEqual([...NO_SECRETS].sort());
  });

  it('are JSON that this process writes, where they have secret fields', () => {
    const others = reachable.filter(
      ({ endpoint }) =>
        answerClassesOf(endpoint).some(hasSecrets) &&
        (typeof endpoint.raw === 'string' || (endpoint.sse ?? false) !== false || endpoint.relayed === true),
    );
    expect(others.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});

describe('an answer without its secret fields', () => {
  const fields = [
    { name: 'secret', inner: null },
    { name: 'space', inner: [{ name: 'secret', inner: null }] },
    { name: 'items', inner: [{ name: 'secret', inner: null }] },
  ];
  const data = { id: '1', secret: 's', space: { id: '2', secret: 's' }, items: [{ id: '3', secret: 's' }] };
  const shown = { id: '1', space: { id: '2' }, items: [{ id: '3' }] };
  const plain = (answer: unknown): unknown => JSON.parse(JSON.stringify(withoutSecretFields(answer, fields)));

  it('has all others, in the envelope, beside it, in a list and bare', () => {
    expect(plain({ success: true, data })).toEqual({ success: true, data: shown });
    expect(plain({ success: true, data: data.items, secret: 's' })).toEqual({ success: true, data: shown.items });
    expect(plain(data)).toEqual(shown);
    expect(plain([1])).toEqual([1]);
    expect(plain({ data: null })).toEqual({ data: null });
    expect(data.secret).toBe('s');
  });
});
