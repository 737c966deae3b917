/** A model that the relay offers; OpenAI's clients read the same record. */
export interface Model {
  id: string;
  owned_by: string;
  /** In tokens. */
  context_window: number;
  max_output_tokens: number;
  /** Among them `chat`, `embeddings`, `tools`, `vision`. */
  capabilities: string[];
  /** Prices of a million tokens. */
  pricing: { input: number; output: number };
}
