/** Encryption context of an MCP server's headers. */
export const headersPlace = (agentId: string, server: string): string => `${agentId}/${server}`;
