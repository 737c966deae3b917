import { type Class, type SecretField, secretFieldsOf, withoutSecrets } from '@switchyard/contracts';
import type { FastifyInstance } from 'fastify';
import { isInternal } from '../auth/internal-credential';
import type { EndpointOptions } from '../routing/endpoint.decorator';

/** The classes that a route's answers are made of. */
export const answerClassesOf = ({ reply, siblings, also }: EndpointOptions): Class[] =>
  [reply, siblings, ...(also ?? []).map((other) => other.reply)].filter((type) => type !== undefined);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The answer of a route without the values of these fields, whether they are in its envelope or beside it. */
export function withoutSecretFields(answer: unknown, fields: readonly SecretField[]): unknown {
  const ofItems = fields.flatMap(({ name, inner }) => (name === 'items' && inner !== null ? inner : []));
  const bare = (value: unknown): unknown => {
    // A list has the items of its page as its data.
    if (Array.isArray(value))
      return value.map((item: unknown) => (isObject(item) ? withoutSecrets(ofItems, item, {}) : item));
    return isObject(value) ? withoutSecrets(fields, value, {}) : value;
  };
  const shown = bare(answer);
  return isObject(shown) && 'data' in shown ? { ...shown, data: bare(shown['data']) } : shown;
}

/** Leaves secret fields out of answers over NATS. Routes without such a field in their answers get no hook. */
export function leaveSecretsOut(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const { endpoint } = (route.config ?? {}) as { endpoint?: EndpointOptions };
    const fields = endpoint === undefined ? [] : answerClassesOf(endpoint).flatMap((type) => secretFieldsOf(type));
    if (fields.length === 0) return;
    route.preSerialization = [
      ...[route.preSerialization ?? []].flat(),
      (request, _reply, answer, done) => {
        done(null, isInternal(request.raw) ? withoutSecretFields(answer, fields) : answer);
      },
    ];
  });
}
