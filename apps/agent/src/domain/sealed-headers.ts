/** Encryption context of an MCP server's headers. */
export const headersContext = (agentId: string, server: string): string => `${agentId}/${server}`;
