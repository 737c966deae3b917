import type { ServerResponse } from 'node:http';
import { Answer, answerTo } from './answer';
import { usageOf, wantsUsage } from './chat';
import { choicesIn, slots } from './choice-count';
import { EventStream, playWhole, sendError, sendJson, modelIn } from './reply';

let completions = 0;

const isTokens = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number');

const textOf = (prompt: unknown): string | null =>
  typeof prompt === 'string' ? prompt : isTokens(prompt) ? prompt.join(' ') : null;

/** A text, texts, tokens or lists of tokens: each is answered on its own. */
function promptsIn(prompt: unknown): string[] | null {
  const one = textOf(prompt);
  if (one !== null) return [one];
  if (!Array.isArray(prompt) || prompt.length === 0) return null;
  const texts = prompt.map(textOf);
  return texts.includes(null) ? null : (texts as string[]);
}

const sumOf = (answers: readonly Answer[]): Pick<Answer, 'usage'> => ({
  usage: {
    promptTokens: answers.reduce((sum, { usage }) => sum + usage.promptTokens, 0),
    completionTokens: answers.reduce((sum, { usage }) => sum + usage.completionTokens, 0),
    reasoningTokens: answers.reduce((sum, { usage }) => sum + usage.reasoningTokens, 0),
  },
});

/** `POST /v1/completions`: the answers of chats in the older form. */
export async function complete(response: ServerResponse, body: Record<string, unknown>): Promise<void> {
  const prompts = promptsIn(body['prompt']);
  if (!prompts) {
    const message = "Invalid 'prompt': it must be a text, a list of tokens, or a list of such that is not empty.";
    sendError(response, 400, message, 'prompt');
    return;
  }
  const choices = choicesIn(response, body);
  if (choices === null) return;
  const answers = prompts.map((content) =>
    answerTo({ messages: [{ role: 'user', content }], maxTokens: body['max_tokens'], stop: body['stop'], choices }),
  );
  const head = {
    id: `cmpl-sim${(completions += 1).toString(36)}${Date.now().toString(36)}`,
    object: 'text_completion',
    created: Math.floor(Date.now() / 1000),
    model: modelIn(body, 'sim-chat'),
    system_fingerprint: 'simulator',
  };
  const usage = usageOf(sumOf(answers));
  const played = answers.map((answer, prompt) => ({
    answer,
    indexes: slots(choices).map((index) => prompt * choices + index),
  }));
  if (body['stream'] === true) {
    await streamCompletions(response, played, { head, usage: wantsUsage(body) ? usage : null });
    return;
  }
  for (const answer of answers) if (!(await playWhole(response, answer))) return;
  const all = played.flatMap(({ answer, indexes }) => {
    const text = answer.tokens.map((token) => token.text).join('');
    return indexes.map((index) => choice(index, text, answer.finishReason));
  });
  sendJson(response, 200, { ...head, choices: all, usage });
}

const choice = (index: number, text: string, finish: string | null): object => ({
  text,
  index,
  logprobs: null,
  finish_reason: finish,
});

interface Played {
  answer: Answer;
  indexes: number[];
}

async function streamCompletions(
  response: ServerResponse,
  played: readonly Played[],
  { head, usage }: { head: object; usage: object | null },
): Promise<void> {
  const stream = new EventStream(response);
  const event = (data: object): string => `data: ${JSON.stringify({ ...head, ...data })}\n\n`;
  const events = (indexes: readonly number[], text: string, finish: string | null): string =>
    indexes.map((index) => event({ choices: [choice(index, text, finish)] })).join('');
  for (const { answer, indexes } of played) {
    for (const [sent, token] of answer.tokens.entries()) {
      if (sent === answer.cutAfter) return stream.cut();
      await stream.send(events(indexes, token.text, null), token.delayMs);
      if (stream.isGone) return;
    }
    if (answer.cutAfter !== null) return stream.cut();
    await stream.send(events(indexes, '', answer.finishReason), 0);
  }
  stream.end(`${usage ? event({ choices: [], usage }) : ''}data: [DONE]\n\n`);
}
