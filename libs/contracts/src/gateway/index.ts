export * from './mcp-answers';
