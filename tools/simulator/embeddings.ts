import type { ServerResponse } from 'node:http';
import { countWords } from './conversation';
import { sendError, sendJson, modelIn } from './reply';
import { DIMENSIONS, embed } from './vector';

const isTokens = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number');

/** A text, texts, tokens or lists of tokens, as texts. */
function textsOf(input: unknown): string[] | null {
  if (input === '') return null;
  if (typeof input === 'string') return [input];
  if (isTokens(input)) return [input.join(' ')];
  if (!Array.isArray(input) || input.length === 0) return null;
  const texts = input.map((item: unknown) =>
    typeof item === 'string' && item !== '' ? item : isTokens(item) ? item.join(' ') : null,
  );
  return texts.includes(null) ? null : (texts as string[]);
}

const base64 = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');

/** `POST /v1/embeddings` */
export function embeddings(response: ServerResponse, body: Record<string, unknown>): void {
  const texts = textsOf(body['input']);
  if (!texts) return sendError(response, 400, "'input' must be a text that is not empty, or a list of such.", 'input');
  const plan = body['dimensions'];
  const dimensions = typeof plan === 'number' && plan >= 1 && plan <= DIMENSIONS ? Math.floor(plan) : DIMENSIONS;
  const data = texts.map((text, index) => {
    const vector = embed(text, dimensions);
    return {
      object: 'embedding',
      index,
      embedding: body['encoding_format'] === 'base64' ? base64(vector) : [...vector],
    };
  });
  const tokens = texts.reduce((sum, text) => sum + Math.max(1, countWords(text)), 0);
  sendJson(response, 200, {
    object: 'list',
    data,
    model: modelIn(body, 'sim-embed'),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}
