export * from './mcp-answers';
export * from './thread-changed';
