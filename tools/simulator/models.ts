export const MODELS = ['sim-chat', 'sim-embed'].map((id) => ({
  id,
  object: 'model',
  created: 1735689600,
  owned_by: 'simulator',
}));

const REFUSALS: Record<string, { model: string; message: string }> = {
  '/v1/chat/completions': {
    model: 'sim-embed',
    message: 'This is not a chat model and thus not supported in the v1/chat/completions endpoint.',
  },
  '/v1/completions': {
    model: 'sim-embed',
    message: 'This is not a completion model and thus not supported in the v1/completions endpoint.',
  },
  '/v1/responses': {
    model: 'sim-embed',
    message: "The requested model 'sim-embed' cannot be used with the Responses API.",
  },
  '/v1/embeddings': {
    model: 'sim-chat',
    message: 'You are not allowed to generate embeddings from this model.',
  },
};

/** Why this model does not do what the path asks; null when it does, as every model does whose name is not ours. */
export const refusalOf = (path: string, model: unknown): string | null =>
  REFUSALS[path] !== undefined && REFUSALS[path].model === model ? REFUSALS[path].message : null;
