/** What the sealed headers of an MCP server are bound to. */
export const headersPlace = (agentId: string, server: string): string => `${agentId}/${server}`;
