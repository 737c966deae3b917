import type { TestSpace } from '@switchyard/testing';

/** Text that could be taken for markup, a link or right-to-left script, without a space to wrap at. */
export const HOSTILE =
  '<img src=x onerror="document.title=1"> [go](javascript:alert(1)) \u202Eleft 🚂 aVeryLongNameWithoutAnyBlankInItThatNoPhoneHasRoomFor';
const LONG_TEXT = `${HOSTILE}\n${'Nearly a mebibyte, word by word. '.repeat(31_000)}`;

interface Made {
  id: string;
  [field: string]: unknown;
}

export interface HostileSpace {
  agentId: string;
  taskId: string;
  executionId: string;
  datasetId: string;
  applicationId: string;
  envelopeId: string;
  jobId: string;
  /** Chats: one with a long text and a tool call, one that waits for an approval. */
  sessionIds: string[];
}

/**
 * One of everything that the API stores, with such a text in each field that takes it, and long ones where they may be.
 */
export async function fillSpace(space: TestSpace): Promise<HostileSpace> {
  const { owner } = space;
  const make = async (path: string, body: object): Promise<Made> => {
    const { status, body: answer } = await owner.post(path, body);
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${JSON.stringify(answer).slice(0, 500)}`);
    return answer.data as Made;
  };
  const named = { name: HOSTILE, description: HOSTILE };
  const { id: datasetId } = await make('/datasets', {
    ...named,
    schema: {
      fields: [
        { name: 'title', type: 'string', fullText: true },
        { name: 'body', type: 'text' },
        { name: 'tags', type: 'string[]' },
        { name: 'facts', type: 'json' },
      ],
    },
  });
  await make(`/datasets/${datasetId}/data/insert`, {
    records: [{ title: HOSTILE, body: LONG_TEXT, tags: [HOSTILE], facts: { said: HOSTILE } }],
  });
  const { id: agentId } = await make('/agents', {
    ...named,
    model: 'sim-chat',
    systemPrompt: HOSTILE,
    tools: ['ask_user', 'query_dataset', 'write_dataset'],
    promptVariables: [{ name: 'who', description: HOSTILE, default: HOSTILE }],
    approvals: [{ tool: 'write_dataset', by: 'USER' }],
  });
  const chat = async (text: string): Promise<string> =>
    (await make(`/agents/${agentId}/chat`, { stream: false, contents: [{ type: 'text', text }] }))[
      'session_id'
    ] as string;
  const tool = (name: string, call: object): string => `@@tool ${name} ${JSON.stringify(call)}`;
  const sessionIds = [
    await chat(`${LONG_TEXT.slice(0, 50_000)}\n${tool('query_dataset', { datasetId })}\n@@reply ${HOSTILE}`),
    await chat(tool('write_dataset', { datasetId, operation: 'insert', records: [{ title: HOSTILE }] })),
  ];
  await chat(
    tool('ask_user', {
      kind: 'single_choice',
      prompt: HOSTILE,
      allowOther: true,
      options: [{ id: 'a', label: HOSTILE, description: HOSTILE }],
    }),
  );
  const { id: taskId } = await make('/tasks', {
    ...named,
    type: 'EVENT',
    inputs: { said: HOSTILE },
    metadata: { said: HOSTILE },
    steps: [
      { id: 'note', type: 'transform', with: { said: HOSTILE, long: '{{ execution.inputs.long }}' } },
      { id: 'fails', type: 'transform', with: { said: '{{ steps.none.output }}' } },
    ],
  });
  const { id: executionId } = await make(`/tasks/${taskId}/execute`, { inputs: { long: LONG_TEXT } });
  const appIdentifier = `hostile-${space.id.slice(-8)}`;
  const { id: applicationId } = await make('/applications', {
    manifest: {
      identifier: appIdentifier,
      name: HOSTILE,
      version: '1.0.0',
      events: [{ name: 'order.paid', description: HOSTILE, schema: { type: 'object', description: HOSTILE } }],
    },
  });
  for (const text of [HOSTILE, 'never'])
    await make('/events/subscriptions', { appIdentifier, event: 'order.paid', taskId, filter: { said: text } });
  const { body } = await owner.get(`/events/registered?limit=100`);
  const event = (body.data as Made[]).find((one) => one['appIdentifier'] === appIdentifier);
  const emitted = await make(`/events/registered/${event?.id}/emit`, { payload: { said: HOSTILE } });
  const { id: jobId } = await make('/agent-jobs', {
    type: 'AGENT_INVOKE',
    agentId,
    input: { contents: [{ type: 'text', text: `@@reply ${HOSTILE}` }] },
  });
  await make('/api-keys', { ...named });
  await make('/secrets', { name: 'HOSTILE_SECRET', value: 'kept', description: HOSTILE });
  await space.credit(1000, HOSTILE);
  return {
    agentId,
    taskId,
    executionId,
    datasetId,
    applicationId,
    envelopeId: emitted['envelopeId'] as string,
    jobId,
    sessionIds,
  };
}
