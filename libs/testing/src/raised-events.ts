import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020';
import type { Client } from './client';
import type { Answer } from './parse-response';
import type { TestSpace } from './space';
import { until } from './until';

const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));

/** Subscribes a task to events of the platform. */
export async function watchPlatform(space: TestSpace, ...events: string[]): Promise<void> {
  const step = { id: 'note', type: 'transform', with: { text: 'done' } };
  const task = { name: 'Watch', type: 'EVENT', active: true, steps: [step] };
  const taskId = (await space.owner.post('/tasks', task)).body.data.id as string;
  for (const event of events) {
    const made = await space.owner.post('/events/subscriptions', { appIdentifier: 'switchyard', event, taskId });
    if (made.status !== 201) throw new Error(`failed to subscribe to ${event}: ${JSON.stringify(made.body)}`);
  }
}

/** Envelopes of the platform's events that a client may see, newest first. */
export const platformEnvelopes = async (client: Client): Promise<Answer[]> =>
  (await client.get('/events/envelopes?appIdentifier=switchyard&limit=100')).body.data;

/** The only envelope of an event for which `isMeant` holds. Its payload fits the registered schema. */
export async function raisedEvent(
  space: TestSpace,
  event: string,
  isMeant: (payload: Answer) => boolean = () => true,
): Promise<Answer> {
  const found = await until(async () => {
    const all = await platformEnvelopes(space.owner);
    const meant = all.filter((envelope) => envelope.event === event && isMeant(envelope.payload));
    return meant.length > 0 ? meant : null;
  });
  if (found.length > 1) throw new Error(`${event} was raised ${found.length} times`);
  const [registered] = (await space.owner.get(`/events/registered?appIdentifier=switchyard&name=${event}`)).body.data;
  if (!ajv.validate(registered.schema, found[0].payload))
    throw new Error(`the payload of ${event} does not fit: ${ajv.errorsText(ajv.errors)}`);
  if (String(registered.description).includes('Not raised')) throw new Error(`${event} is said not to be raised`);
  return found[0];
}
