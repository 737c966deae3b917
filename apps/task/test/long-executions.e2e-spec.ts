import { type Answer, type Client, type TestSpace, usePlatform } from '@switchyard/testing';
import { fetch } from 'undici';
import { TaskActions, stepOf, transform } from './task-actions';

const platform = usePlatform();
const MIB = 1024 * 1024;
/** Two bytes a character, at odd places: no cut between bytes is one between characters by luck. */
const TEXT = `a${'é'.repeat(400_000)}`;
/** With it the inputs are longer than what a step makes of them, and within what inputs may have. */
const MORE = 'x'.repeat(200_000);
const STEPS = ['s1', 's2', 's3', 's4', 's5', 's6'];

let space: TestSpace;
let viewer: Client;
let id: string;
let execution: Answer;

const contentOf = async (path: string, client = viewer): Promise<{ status: number; type: string; bytes: Buffer }> => {
  const headers = { authorization: client.authorization ?? '' };
  const reply = await fetch(`${client.host}${path}`, { headers });
  const bytes = Buffer.from(await reply.arrayBuffer());
  return { status: reply.status, type: reply.headers.get('content-type') ?? '', bytes };
};

/** A field's value, inline or from its link. */
async function whole(value: Answer): Promise<unknown> {
  if (value?.truncated !== true) return value;
  const { status, type, bytes } = await contentOf(value.content as string);
  expect({ status, type, bytes: bytes.byteLength }).toEqual({
    status: 200,
    type: 'application/json; charset=utf-8',
    bytes: value.bytes,
  });
  return JSON.parse(bytes.toString());
}

beforeAll(async () => {
  space = await platform.newSpace();
  viewer = await space.member('VIEWER');
  const tasks = new TaskActions(space.owner);
  const steps = STEPS.map((step) => transform(step, { step, text: '{{ execution.inputs.text }}' }));
  ({ id } = await tasks.run(steps, { inputs: { text: TEXT, more: MORE } }));
  // Read again: a step that is recorded between the sizes and the record may have made the first answer longer.
  execution = (await viewer.get(`/tasks/executions/${id}`)).body.data;
});

describe('an execution over 8 MiB', () => {
  it('links its longest fields, shows the others, and comes back whole', async () => {
    expect(Buffer.byteLength(JSON.stringify(execution))).toBeLessThan(8 * MIB);
    expect(execution.inputs).toEqual({
      truncated: true,
      bytes: expect.any(Number),
      content: `/api/tasks/executions/${id}/content?field=inputs`,
    });
    expect(await whole(execution.inputs)).toEqual({ text: TEXT, more: MORE });
    const ofSteps = STEPS.flatMap((step) => [stepOf(execution, step).input, stepOf(execution, step).output]);
    const values = [execution.output, ...ofSteps];
    expect(values.filter(({ truncated }) => truncated).length).toBeGreaterThan(0);
    expect(values.filter(({ truncated }) => !truncated).length).toBeGreaterThan(0);
    for (const step of STEPS) {
      const { status, input, output } = stepOf(execution, step);
      expect(status).toBe('SUCCEEDED');
      expect(await whole(input)).toEqual({ step, text: TEXT });
      expect(await whole(output)).toEqual({ step, text: TEXT });
    }
    expect(await whole(execution.output)).toEqual({ step: 's6', text: TEXT });
  });

  it('is linked in every answer that has it alone', async () => {
    const link = { truncated: true, content: expect.stringMatching(/\/content\?field=inputs$/) };
    const task = await space.owner.post('/tasks', {
      name: 'Waits',
      steps: [{ id: 'w', type: 'wait', with: { seconds: 600 } }],
    });
    const started = await space.owner.post(`/tasks/${task.body.data.id}/execute`, { inputs: {} });
    const { id: old } = started.body.data;
    // As inputs could be before they had a limit.
    await platform.database.query(
      `update task.executions set inputs = jsonb_build_object('text', repeat('x', 9000000)) where space_id = $1 and id = $2`,
      [space.id, old],
    );
    expect(await viewer.get(`/tasks/executions/${old}`)).toMatchObject({
      status: 200,
      body: { data: { inputs: link } },
    });
    const cancelled = await space.owner.post(`/tasks/executions/${old}/cancel`, {});
    expect(cancelled).toMatchObject({ status: 200, body: { data: { inputs: link } } });
    const again = await space.owner.post(`/tasks/executions/${old}/rerun`, {});
    expect(again).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR', details: [{ path: 'inputs' }] } });
    const [listed] = (await viewer.get('/tasks/executions?limit=1')).body.data;
    expect(listed.inputs).toEqual({ truncated: true, bytes: expect.any(Number) });
  });

  it('gives every field on its own, long or not, and only to its Space', async () => {
    const path = `/api/tasks/executions/${id}/content`;
    expect(JSON.parse((await contentOf(`${path}?field=steps.s1.input`)).bytes.toString()).step).toBe('s1');
    const stranger = (await platform.newSpace()).owner;
    const unknown = path.replace(id, '0198f2b0-0000-7000-8000-000000000000');
    const statuses = {
      [`${path}?field=steps.none.output`]: 404,
      [`${unknown}?field=inputs`]: 404,
      [`${unknown}?field=steps.s1.output`]: 404,
      [path]: 400,
      [`${path}?field=`]: 400,
      [`${path}?field=error`]: 400,
      [`${path}?field=steps.s1`]: 400,
      [`${path}?field=steps.s1.output.text`]: 400,
      [`${path}?field=inputs&field=output`]: 400,
      [`${path}?field=inputs&more=1`]: 400,
    };
    const found: Record<string, number> = {};
    for (const at of Object.keys(statuses)) found[at] = (await viewer.raw('GET', at)).status;
    expect(found).toEqual(statuses);
    const { body } = await viewer.raw('GET', `${unknown}?field=inputs`);
    expect(body).toMatchObject({ message: 'Execution not found' });
    for (const field of ['inputs', 'output', 'steps.s1.output'])
      expect((await contentOf(`${path}?field=${field}`, stranger)).status).toBe(404);
  });

  it('has null where a field has no value', async () => {
    const tasks = new TaskActions(space.owner);
    const skipped = await tasks.run([{ ...transform('off', { n: 1 }), if: '{{ execution.inputs.on }}' }]);
    const { status, body } = await viewer.raw(
      'GET',
      `/api/tasks/executions/${skipped.id}/content?field=steps.off.output`,
    );
    expect([status, body]).toEqual([200, null]);
  });
});
