import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Client } from '@switchyard/testing';

type Era = 'auto' | 'legacy';

export async function connectMcp(client: Client, era: Era): Promise<McpClient> {
  const mcp = new McpClient({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: era } });
  const transport = new StreamableHTTPClientTransport(new URL(`${client.host}/mcp`), {
    requestInit: { headers: { authorization: client.authorization ?? '' } },
  });
  await mcp.connect(transport);
  return mcp;
}

interface ToolResult {
  isError?: boolean;
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
}

export const callTool = async (
  mcp: McpClient,
  name: string,
  args: object = {},
  onprogress?: (progress: { message?: string }) => void,
): Promise<ToolResult> =>
  (await mcp.callTool(
    { name, arguments: args as Record<string, unknown> },
    onprogress ? { onprogress } : undefined,
  )) as ToolResult;
