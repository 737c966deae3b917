import type { Neighbour } from '../neighbour';
import { STEPS, application } from './events';

/** An object of so many short fields: for its size the most expensive JSON to read, measure, check and write. */
const wide = (fields: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: fields }, (_, n) => [n.toString(36), 1]));

/** At each place that takes free-form objects, as many fields as fit into a body, and into the limit of the place. */
export const wideObjects: Neighbour = {
  name: 'wide-objects',
  bound: 'fields of an object',
  refusals: [413],
  prepare: async (scene) => {
    const { hostile } = scene;
    const { identifier, emitter } = await application(scene);
    const taskId = await hostile.make('/api/tasks', { name: 'Wide', type: 'MANUAL', active: true, steps: STEPS });
    const agentId = await hostile.make('/api/agents', { name: 'Wide', model: 'sim-chat', systemPrompt: 'You answer.' });
    const fields = [{ name: 'value', type: 'json' }];
    const datasetId = await hostile.make('/api/datasets', { name: 'Wide', schema: { fields } });
    const object = wide(100_000);
    // A string, so that this process does not spend the attack on writing JSON.
    const text = (body: object): string => JSON.stringify(body);
    const emission = (payload: object): string => text({ appIdentifier: identifier, event: 'blow', payload });
    const attacks = [
      { path: '/api/events/emit', body: emission(object), headers: emitter },
      { path: '/api/events/emit', body: emission(wide(25_000)), headers: emitter },
      { path: `/api/tasks/${taskId}/execute`, body: text({ inputs: object }) },
      { path: `/api/agents/${agentId}/execute`, body: text({ inputs: { ...object, query: 'Hello' } }) },
      { path: `/api/datasets/${datasetId}/data/insert`, body: text({ records: [{ value: object }] }) },
    ];
    return {
      run: () =>
        hostile.lanes(scene.size(5, 20), async (caller) => {
          const { path, ...request } = attacks[caller % attacks.length] ?? { path: '/api/agents' };
          await hostile.ask(path, request);
        }),
    };
  },
};
