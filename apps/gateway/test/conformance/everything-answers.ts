import { fromJsonSchema } from '@modelcontextprotocol/server';
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { PNG, WAV } from './samples';

const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });
const nothing = z.object({});

const embedded = (uri: string, mimeType: string, value: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
});

/** Tools that answer by themselves. */
export function addAnswers(server: McpServer): void {
  const answers: Record<string, CallToolResult> = {
    test_simple_text: text('This is a simple text response for testing.'),
    test_image_content: { content: [{ type: 'image', data: PNG, mimeType: 'image/png' }] },
    test_audio_content: { content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] },
    test_embedded_resource: {
      content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    },
    test_multiple_content_types: {
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    },
    test_streaming_elicitation: text('nothing was asked'),
  };
  for (const [name, answer] of Object.entries(answers))
    server.registerTool(name, { description: 'Answers what the suite expects.' }, () => answer);
  server.registerTool('test_error_handling', { description: 'Fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Tells how far it is.', inputSchema: nothing },
    async (_input, context) => {
      for (const progress of [0, 50, 100]) await tellProgress(context, progress);
      return text('Progress was told.');
    },
  );
  server.registerTool(
    'test_tool_with_logging',
    { description: 'Logs to its client.', inputSchema: nothing },
    async (_input, context) => {
      for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
        await context.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
      return text('Tool with logging executed successfully');
    },
  );
  server.registerTool(
    'test_logging_tool',
    { description: 'Logs to a client that wants to hear it.', inputSchema: nothing },
    async (_input, context) => {
      // oxlint-disable-next-line typescript/no-deprecated -- that it says nothing unasked is what the suite checks
      await context.mcpReq.log('info', 'only who has set a level hears this');
      return text('Logged.');
    },
  );
  server.registerTool(
    'test_x_mcp_header',
    {
      description: 'Has an argument that is mirrored in a header.',
      inputSchema: fromJsonSchema<{ region?: string }>({
        type: 'object',
        properties: { region: { type: 'string', ...{ 'x-mcp-header': 'Region' } }, level: { type: 'integer' } },
      }),
    },
    ({ region }) => text(`region=${region ?? '<none>'}`),
  );
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has a schema of JSON Schema 2020-12.', inputSchema: fromJsonSchema(SCHEMA_2020_12) },
    (input) => text(JSON.stringify(input)),
  );
}

async function tellProgress({ mcpReq }: ServerContext, progress: number): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
}

const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;
