/** Calls of tools that the platform runs itself, as AG-UI's clients know them. */
export const ownToolId = (turnId: string, callId: string): string => `tool_${turnId}_${callId}`;

export const isOwnTool = (id: string): boolean => id.startsWith('tool_');
