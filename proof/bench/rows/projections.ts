import { randomUUID } from 'node:crypto';
import { PRODUCT_EVENTS } from '@switchyard/contracts';
import { type Client, TestPlatform } from '@switchyard/testing';
import { cpuOf } from '../cpu';
import { alternate, atMost } from '../measure';
import type { BenchContext, BenchRow, Measured } from '../row';
import { ONE_SERVICE } from '../shape';
import { crowd, type StreamCall } from './chat-load';

const STREAMS = 100;
const ROUNDS = 5;
/** Deltas come one by one, as those of a model do: what several of them together cost is another question. */
const TEXT = '@@delay 10\n@@tokens 200';

interface Door {
  url: string;
  key: Client;
  agentId: string;
}

type Wire = (endpoint: Door) => Omit<StreamCall, 'headers'>;

const ours: Wire = ({ url, agentId }) => ({
  url: `${url}/api/agents/${agentId}/chat`,
  body: { contents: [{ type: 'text', text: TEXT }] },
  first: PRODUCT_EVENTS.contentDelta,
  end: '"COMPLETED"',
});

/** As a run of LangGraph begins: a request of its own comes before the one that streams. Here it makes the session. */
const oursInTwo: Wire = (endpoint) => {
  const { url, agentId } = endpoint;
  const call = ours(endpoint);
  return {
    ...call,
    before: {
      url: `${url}/api/agents/sessions`,
      body: { agentId },
      then: (answer) => ({ ...call.body, session_id: (answer as { data: { id: string } }).data.id }),
    },
  };
};

const projected: Record<string, Wire> = {
  'OpenAI Responses': ({ url, agentId }) => ({
    url: `${url}/openai/v1/responses`,
    body: { model: agentId, input: TEXT, stream: true },
    first: 'response.output_text.delta',
    end: 'response.completed',
  }),
  'OpenAI chat completions': ({ url, agentId }) => ({
    url: `${url}/openai/v1/chat/completions`,
    body: { model: agentId, messages: [{ role: 'user', content: TEXT }], stream: true },
    first: '"content":"',
    end: '[DONE]',
  }),
  'AG-UI': ({ url, agentId }) => ({
    url: `${url}/ag-ui/${agentId}`,
    body: {
      threadId: randomUUID(),
      runId: randomUUID(),
      messages: [{ id: randomUUID(), role: 'user', content: TEXT }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    },
    first: 'TEXT_MESSAGE_CONTENT',
    end: 'RUN_FINISHED',
  }),
  /** Two requests: the one that begins a run is not the one that tells of it. */
  LangGraph: ({ url, agentId }) => {
    const thread = `${url}/langgraph/threads/${randomUUID()}`;
    const input = { messages: [{ type: 'human', content: TEXT }] };
    return {
      before: {
        url: `${thread}/commands`,
        body: { id: 1, method: 'run.start', params: { assistant_id: agentId, input } },
      },
      url: `${thread}/stream/events`,
      body: { channels: ['messages', 'lifecycle'] },
      first: 'content-block-delta',
      end: '"event":"completed"',
      staysOpen: true,
    };
  },
};

const headersOf = ({ key }: Door): Record<string, string> => ({
  authorization: key.authorization ?? '',
  accept: 'text/event-stream',
  'x-service-stream-protocol': 'stream-v3',
});

/** Cost of a stream in other protocols at the gateway, compared with our own. */
export const projections: BenchRow = {
  name: 'projections',
  shapes: ONE_SERVICE,
  async run({ state, report }: BenchContext): Promise<Measured[]> {
    const platform = new TestPlatform();
    const endpoints: Door[] = [];
    for (let at = 0; at < STREAMS / 10; at += 1) {
      const space = await platform.newSpace();
      const agent = await space.owner.post('/agents', { name: 'bench', model: 'sim-chat', systemPrompt: 'Measured.' });
      endpoints.push({
        url: state.url,
        key: await space.key(),
        agentId: (agent.body as { data: { id: string } }).data.id,
      });
    }
    const gateway = state.pids['gateway'] ?? NaN;

    /** Milliseconds of the gateway's processor for a stream. */
    const costOf = async (wire: Wire): Promise<number> => {
      const before = cpuOf(gateway);
      const { failed } = await crowd(STREAMS, (at) => {
        const endpoint = endpoints[at % endpoints.length] as Door;
        return { ...wire(endpoint), headers: headersOf(endpoint) };
      });
      if (failed > 0) report(`${failed} of ${STREAMS} streams failed`);
      return (cpuOf(gateway) - before) / STREAMS;
    };

    // The first thousands of deltas cost more: what runs them is compiled while it runs.
    for (const wire of [ours, oursInTwo, ...Object.values(projected)]) await costOf(wire);
    const measured: Measured[] = [];
    const pairs = Object.entries(projected).map(([name, wire]) =>
      name === 'LangGraph'
        ? ([name, wire, 'our own stream in two requests', oursInTwo, 1.4] as const)
        : ([name, wire, 'our own stream', ours, 1.2] as const),
    );
    for (const [name, wire, open, own, target] of pairs) {
      const pair = await alternate(
        ROUNDS,
        () => costOf(wire),
        () => costOf(own),
      );
      measured.push(atMost(target, { what: `a stream as ${name}, gateway CPU`, beside: open, unit: 'ms', ...pair }));
    }
    return measured;
  },
};
