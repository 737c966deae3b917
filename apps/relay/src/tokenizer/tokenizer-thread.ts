import { parentPort } from 'node:worker_threads';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { countWithin } from '../domain/count-tokens-within';
import { type CountReply, type CountRequest, READY } from './tokenizer-messages';

/** The thread that holds the tokenizer: its tables and its loops never touch the loop that serves requests. */
const PLAIN = { disallowedSpecial: new Set<string>() };
const count = (text: string): number => countTokens(text, PLAIN);

// The first texts would otherwise pay for the compiler.
for (let round = 0; round < 20; round += 1) count('Compiled before it is needed, 1 2 3: \u4f60\u597d! '.repeat(20));

parentPort?.on('message', ({ id, texts, budgetMs }: CountRequest) => {
  const end = performance.now() + budgetMs;
  const isTimeUp = (): boolean => performance.now() > end;
  const counts = texts.map((text) => countWithin(text, count, isTimeUp));
  const reply: CountReply = { id, counts, isExact: !isTimeUp() };
  parentPort?.postMessage(reply);
});
parentPort?.postMessage(READY);
