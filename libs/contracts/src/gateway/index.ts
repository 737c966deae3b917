export * from './mcp-answers';
export * from './thread-changed';
export * from './space-use';
export * from './interrupted-call';
