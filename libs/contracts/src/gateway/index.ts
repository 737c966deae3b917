export * from './mcp-elicitation-answers';
export * from './thread-changed';
export * from './space-usage';
export * from './interrupted-call';
