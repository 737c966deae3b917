export * from './model-settings';
export * from './agent-parts';
export * from './agent-view';
export * from './agent-requests';
export * from './turn-requests';
export * from './turn-result';
export * from './agent-calls';
export * from './agent-streams';
