import type { TestSpace } from '@switchyard/testing';

export interface Scene {
  deskId: string;
  refundsId: string;
  datasetId: string;
  /** Emitted once; two tasks listen. */
  envelopeId: string;
}

/** The simulator streams it word by word for any question. */
const says = (delayMs: number, lines: readonly string[]): string =>
  [`@@@delay ${delayMs}`, ...lines.map((line) => `@@@reply ${line}`)].join('\n');

const ANSWER = [
  '**Order 1042 is on its way.** It left Porto this morning and is expected on Thursday.',
  '',
  '- Picked and packed: Monday, 16:20',
  '- Handed to the carrier: Tuesday, 07:45',
  '- Customs: not needed within the Union',
  '',
  'Two things you may want to know:',
  '',
  '1. The second parcel holds the lamp alone, so that the glass travels upright.',
  '2. If nobody is at home, the driver leaves it with the neighbour named in the order.',
  '',
  'Shall I send the customer a note with the tracking number?',
];

const QUESTION = {
  kind: 'single_choice',
  prompt: 'Order 1042 arrived with a broken glass. What may I offer?',
  options: [
    { id: 'refund', label: 'Refund 48.00' },
    { id: 'replace', label: 'Send a new glass' },
    { id: 'nothing', label: 'Nothing, ask for a photo first' },
  ],
};

const ARTICLES = `slug,title,body,price
track-parcel,Where is my parcel?,How to follow a delivery from the warehouse to the door.,0.00
broken-glass,Something arrived broken,Send us a photo and choose a refund or a replacement.,0.00
gift-wrap,Wrapping a present,We wrap presents in paper from the region.,3.50
change-address,Another address,A delivery can be sent elsewhere until it leaves the warehouse.,0.00
invoice,An invoice for your company,Every order has an invoice with the numbers that accountants want.,0.00
lamp-bulbs,Bulbs for your lamp,Which bulbs fit and how bright they are.,7.90
`;

interface Made {
  id: string;
  systemApiKey?: string;
}

async function made(space: TestSpace, path: string, body: object): Promise<Made> {
  const { status, body: answer } = await space.owner.post(path, body);
  if (status !== 201) throw new Error(`POST ${path}: ${status} ${JSON.stringify(answer)}`);
  return answer.data as Made;
}

const make = async (space: TestSpace, path: string, body: object): Promise<string> =>
  (await made(space, path, body)).id;

/** A shop with two agents, a dataset, an event that two tasks listen to, and keys. */
export async function playScene(space: TestSpace): Promise<Scene> {
  const agent = (name: string, systemPrompt: string, tools: string[] = []): Promise<string> =>
    make(space, '/agents', { name, model: 'sim-chat', systemPrompt, tools });
  const [deskId, refundsId, writerId] = await Promise.all([
    agent('Customer desk', says(120, ANSWER)),
    agent('Refunds', `@@@tool ask_user ${JSON.stringify(QUESTION)}\n@@@reply Done: {{tool}}`, ['ask_user']),
    agent('Letter writer', says(0, ['Thank you for your order. We have begun to pack it.'])),
  ]);

  const datasetId = await make(space, '/datasets', {
    name: 'Help articles',
    schema: {
      fields: [
        { name: 'slug', type: 'string', unique: true },
        { name: 'title', type: 'string', fullText: true },
        { name: 'body', type: 'text', fullText: true, vector: true },
        { name: 'price', type: 'decimal' },
      ],
    },
  });
  await space.owner.raw('POST', `/api/datasets/${datasetId}/import`, ARTICLES, {
    headers: { 'content-type': 'text/csv' },
  });

  const appIdentifier = 'web-shop';
  const { systemApiKey = '' } = await made(space, '/applications', {
    manifest: {
      identifier: appIdentifier,
      name: 'Web shop',
      version: '1.0.0',
      events: [{ name: 'order.paid', schema: { type: 'object', required: ['order', 'total'] } }],
    },
  });
  const order = '{{ execution.inputs.trigger.payload.order }}';
  const listens = async (name: string, steps: object[]): Promise<void> => {
    const taskId = await make(space, '/tasks', { name, type: 'EVENT', active: true, steps });
    await make(space, '/events/subscriptions', { appIdentifier, event: 'order.paid', taskId });
  };
  await listens('Thank the customer', [
    { id: 'write', type: 'agent', with: { agentId: writerId, inputs: { query: `Thank for order ${order}` } } },
    { id: 'letter', type: 'transform', with: { body: '{{ steps.write.output.answer }}' } },
  ]);
  await listens('Count the sale', [{ id: 'note', type: 'transform', with: { order } }]);
  const shop = space.owner.as(`Bearer ${systemApiKey}`);
  const { body } = await shop.post('/events/emit', {
    appIdentifier,
    event: 'order.paid',
    payload: { order: '1042', total: 96.5 },
  });

  await make(space, '/api-keys', { name: 'Web shop, production' });
  const limits = { dailyTokens: 50_000, requestsPerMinute: 60, models: ['sim-chat'] };
  await make(space, '/api-keys', { name: 'Newsletter, limited', limits });
  const old = await make(space, '/api-keys', { name: 'Old laptop' });
  await space.owner.post(`/api-keys/${old}/revoke`);
  return { deskId, refundsId, datasetId, envelopeId: (body.data as { envelopeId: string }).envelopeId };
}
