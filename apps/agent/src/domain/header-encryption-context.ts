/** Encryption context of an MCP server's headers. */
export const headerEncryptionContext = (agentId: string, server: string): string => `${agentId}/${server}`;
