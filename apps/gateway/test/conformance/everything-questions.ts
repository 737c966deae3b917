import {
  CLIENT_CAPABILITIES_META_KEY,
  acceptedContent,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import type {
  CallToolResult,
  ClientCapabilities,
  ElicitRequestFormParams,
  InputRequest,
  InputRequests,
  InputRequiredResult,
  McpServer,
  ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

type ToolOutcome = CallToolResult | InputRequiredResult;
type Mint = (state: Record<string, unknown>) => Promise<string>;

const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });

const form = (message: string, name: string, type: 'string' | 'boolean' = 'string'): InputRequest =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [name]: type === 'string' ? { type } : { type } },
      required: [name],
    },
  });

const sampling = (question: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens: 100,
  });

const contentOf = ({ mcpReq }: ServerContext, key: string): Record<string, unknown> | undefined =>
  acceptedContent(mcpReq.inputResponses, key);

/** Tools that ask their client something, in both ways: by the result, and by a request of the server. */
export function addQuestions(server: McpServer, mint: Mint): void {
  const ask = (name: string, run: (context: ServerContext) => ToolOutcome | Promise<ToolOutcome>): void => {
    server.registerTool(name, { description: 'Asks its client.', inputSchema: z.object({}) }, (_input, context) =>
      run(context),
    );
  };
  ask('test_missing_capability', ({ mcpReq }) =>
    mcpReq.inputResponses ? text('done') : inputRequired({ inputRequests: { llm_answer: sampling('Say pong') } }),
  );
  ask('test_input_required_result_elicitation', (context) => {
    const name = contentOf(context, 'user_name')?.['name'];
    if (typeof name === 'string') return text(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } });
  });
  ask('test_input_required_result_sampling', ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question');
    if (answer.kind === 'sampling') return text(`Sampling response: ${JSON.stringify(answer.result.content)}`);
    return inputRequired({ inputRequests: { capital_question: sampling('What is the capital of France?') } });
  });
  ask('test_input_required_result_list_roots', ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (answer.kind === 'roots') return text(answer.roots.map(({ uri }) => uri).join(', '));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  ask('test_input_required_result_request_state', async (context) => {
    if (contentOf(context, 'confirm') && context.mcpReq.requestState()) return text('state-ok');
    const requestState = await mint({ step: 'confirm' });
    return inputRequired({ inputRequests: { confirm: form('Please confirm', 'ok', 'boolean') }, requestState });
  });
  ask('test_input_required_result_tampered_state', async (context) => {
    if (contentOf(context, 'confirm') && context.mcpReq.requestState()) return text('integrity-ok');
    const requestState = await mint({ step: 'confirm' });
    return inputRequired({ inputRequests: { confirm: form('Please confirm', 'ok', 'boolean') }, requestState });
  });
  ask('test_input_required_result_multiple_inputs', async ({ mcpReq }) => {
    if (Object.keys(mcpReq.inputResponses ?? {}).length === 3) return text('All three were answered.');
    return inputRequired({
      inputRequests: {
        user_name: form('What is your name?', 'name'),
        greeting: sampling('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await mint({ step: 'all' }),
    });
  });
  ask('test_input_required_result_multi_round', async (context) => {
    const state = context.mcpReq.requestState<{ round: number; name?: string }>();
    if (!state) {
      const requestState = await mint({ round: 1 });
      return inputRequired({ inputRequests: { step1: form('What is your name?', 'name') }, requestState });
    }
    if (state.round === 1) {
      const requestState = await mint({ round: 2, name: contentOf(context, 'step1')?.['name'] });
      return inputRequired({ inputRequests: { step2: form('What is your favorite color?', 'color') }, requestState });
    }
    return text(`${state.name ?? ''} likes ${String(contentOf(context, 'step2')?.['color'])}`);
  });
  ask('test_input_required_result_capabilities', ({ mcpReq }) => {
    if (mcpReq.inputResponses) return text('Answered.');
    const envelope = mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined;
    const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY];
    const inputRequests: InputRequests = {
      ...(declared?.elicitation && { user_name: form('What is your name?', 'name') }),
      ...(declared?.sampling && { greeting: sampling('Generate a greeting') }),
      ...(declared?.roots && { client_roots: inputRequired.listRoots() }),
    };
    return Object.keys(inputRequests).length === 0 ? text('Nothing can be asked.') : inputRequired({ inputRequests });
  });
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks for its context.' },
    async (context) => {
      const given = contentOf(context, 'user_context')?.['context'];
      if (typeof given !== 'string')
        return inputRequired({ inputRequests: { user_context: form('Which context?', 'context') } });
      return Promise.resolve({
        messages: [{ role: 'user' as const, content: { type: 'text' as const, text: given } }],
      });
    },
  );
  addRequests(server);
}

/** As servers asked before 2026-07-28. */
function addRequests(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: 'Asks for a completion.', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
      const answer = await mcpReq.send({ method: 'sampling/createMessage', params: { messages, maxTokens: 100 } });
      return text(`LLM response: ${JSON.stringify(answer)}`);
    },
  );
  server.registerTool(
    'test_elicitation',
    { description: 'Asks for input.', inputSchema: z.object({ message: z.string() }) },
    ({ message }, { mcpReq }) =>
      elicit(mcpReq, message, { type: 'object', properties: { response: { type: 'string' } }, required: ['response'] }),
  );
  for (const [name, properties] of Object.entries(FORMS))
    server.registerTool(name, { description: 'Asks with a form.', inputSchema: z.object({}) }, (_input, { mcpReq }) =>
      elicit(mcpReq, 'Please fill in the form', { type: 'object', properties, required: [] }),
    );
}

async function elicit(
  mcpReq: ServerContext['mcpReq'],
  message: string,
  requestedSchema: ElicitRequestFormParams['requestedSchema'],
): Promise<CallToolResult> {
  const answer = await mcpReq.send({ method: 'elicitation/create', params: { message, requestedSchema } });
  return text(`User response: ${JSON.stringify(answer)}`);
}

const titled = (...values: string[]) => values.map((value) => ({ const: value, title: value.toUpperCase() }));
const OPTIONS = ['option1', 'option2', 'option3'];

const FORMS: Record<string, ElicitRequestFormParams['requestedSchema']['properties']> = {
  test_elicitation_sep1034_defaults: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
  test_elicitation_sep1330_enums: {
    untitledSingle: { type: 'string', enum: OPTIONS },
    titledSingle: { type: 'string', oneOf: titled('value1', 'value2', 'value3') },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: OPTIONS } },
    titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: titled('value1', 'value2', 'value3') } },
  },
};
