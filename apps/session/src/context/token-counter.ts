import { Injectable } from '@nestjs/common';
import { type Ctx, RelayCalls, requireSpace } from '@switchyard/contracts';
import { Database } from '@switchyard/database';
import { Bus } from '@switchyard/messaging';
import { Logger } from '@switchyard/service';
import { type CountedEntry, MessagesRepository } from '../db/messages.repository';
import { framingTokens, textOf } from '../domain/message-to-text';

const BATCH_LENGTH = 2 * 1024 * 1024;
const BATCH_TEXTS = 500;
const TEXT_LENGTH = 1024 * 1024;

/** Each text is counted once in its life; the relay holds the tokenizers. */
@Injectable()
export class TokenCounter {
  constructor(
    private readonly bus: Bus,
    private readonly database: Database,
    private readonly messages: MessagesRepository,
    private readonly logger: Logger,
  ) {}

  /** Entries with exact counts; the guesses stay where the relay does not answer. */
  async count(
    ctx: Ctx,
    of: { sessionId: string; model: string },
    entries: readonly CountedEntry[],
  ): Promise<CountedEntry[]> {
    const open = entries.filter((entry) => !entry.counted);
    if (open.length === 0) return [...entries];
    const counts = new Map<number, number>();
    try {
      for (const batch of batches(open)) {
        const perText = await this.countTexts(
          ctx,
          of.model,
          batch.map((entry) => textOf(entry).slice(0, TEXT_LENGTH)),
        );
        batch.forEach((entry, at) => {
          counts.set(entry.seq, (perText[at] ?? 0) + mostTokensBeyond(textOf(entry)) + framingTokens(entry));
        });
      }
    } catch (error) {
      this.logger.warn({ err: error, sessionId: of.sessionId }, 'the tokenizer did not answer; estimating tokens');
    }
    const found = [...counts].map(([seq, tokens]) => ({ seq, tokens }));
    if (found.length > 0) {
      await this.database.transaction(ctx, (tx) =>
        this.messages.storeCounts(tx, requireSpace(ctx), of.sessionId, found),
      );
    }
    return entries.map((entry) => {
      const tokens = counts.get(entry.seq);
      return tokens === undefined ? entry : { ...entry, tokens, counted: true };
    });
  }

  async countTexts(ctx: Ctx, model: string, texts: string[]): Promise<number[]> {
    return (await this.bus.call(RelayCalls.countTokens, ctx, { model, texts })).perText;
  }
}

/** Text that need not be tokenized: no tokenizer makes more tokens than bytes. */
const mostTokensBeyond = (text: string): number =>
  text.length > TEXT_LENGTH ? Buffer.byteLength(text.slice(TEXT_LENGTH)) : 0;

function batches(entries: readonly CountedEntry[]): CountedEntry[][] {
  const all: CountedEntry[][] = [];
  let length = 0;
  for (const entry of entries) {
    const size = Math.min(TEXT_LENGTH, textOf(entry).length);
    const last = all.at(-1);
    if (!last || last.length >= BATCH_TEXTS || length + size > BATCH_LENGTH) {
      all.push([entry]);
      length = size;
    } else {
      last.push(entry);
      length += size;
    }
  }
  return all;
}
