import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonSchema } from '@switchyard/contracts';
import { OPENAPI_DOCUMENT } from '../../generate/generated-files';
import { releasedApi, withoutProse } from '../../generate/released-api';
import { projectRoot } from '../../launcher/project-root';
import { breakingChanges } from './breaking-changes';
import { recordOf } from './document-parts';

const current = JSON.parse(readFileSync(join(projectRoot, OPENAPI_DOCUMENT), 'utf8')) as JsonSchema;
const majorOf = (document: JsonSchema): number => Number(String(recordOf(document['info'])['version']).split('.')[0]);

const orNull = (field: string): string => `${field}: the type changed from string to string or null`;

/**
 * A subscription has a task or an endpoint. A client that knows tasks alone meets null only in a Space with endpoints,
 * in the deliveries of an envelope; lists of subscriptions leave those of endpoints out unless they are asked for.
 * A reset token is absent only if the request has an idempotency key, which the last release ignored, and is a repeat.
 */
const ACCEPTED = new Set([
  'POST /api/operator/users/{userId}/reset-password 200.data.token: the property is optional now',
  ...[
    'GET /api/events/envelopes/{envelopeId} 200.data.deliveries[].subscriptionId',
    'GET /api/events/envelopes/{envelopeId} 200.data.deliveries[].taskId',
    'GET /api/events/subscriptions 200.data[].taskId',
    'POST /api/events/subscriptions 201.data.taskId',
    'GET /api/events/subscriptions/{subscriptionId} 200.data.taskId',
    'PATCH /api/events/subscriptions/{subscriptionId} 200.data.taskId',
  ].map(orNull),
]);

it('breaks no client of the last release, unless the first part of API_VERSION rises', () => {
  const released = releasedApi();
  const changes = majorOf(current) > majorOf(released) ? [] : breakingChanges(released, current);
  expect(changes.filter((change) => !ACCEPTED.has(change))).toEqual([]);
  expect([...ACCEPTED].filter((change) => !changes.includes(change))).toEqual([]);
});

it('the record of a release has the names and shapes of the API, and no prose', () => {
  const document = {
    paths: { '/notes': { get: { summary: 'Read', parameters: [{ name: 'q', description: 'Text' }] } } },
    components: { schemas: { Note: { properties: { description: { type: 'string', description: 'Text' } } } } },
  };
  expect(withoutProse(document)).toEqual({
    paths: { '/notes': { get: { parameters: [{ name: 'q' }] } } },
    components: { schemas: { Note: { properties: { description: { type: 'string' } } } } },
  });
});
