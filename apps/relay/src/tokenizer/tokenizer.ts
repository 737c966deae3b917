import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { FairSemaphore, tooManyWaitFor } from '@switchyard/concurrency';
import { Logger, Metrics, PayerCache } from '@switchyard/service';
import { type TextSlice, tokenPieces } from '../domain/split-for-tokenizer';
import { RelayConfig } from '../relay.config';
import { TokenizerThreadClient } from './tokenizer-thread-client';

/** One is counted while the next one travels. */
const CONCURRENCY = 2;
/** Pieces that wait; one that may not counts by its bytes. */
const WAITING = { all: 2_000, each: 500 };
const LOADING_MS = 10_000;
/** Texts are tokenized in pieces of at most this size, of which Spaces take turns. */
const PIECE_BYTES = 64 * 1024;

/**
 * Counts tokens where no upstream did, in a thread, by pieces of 64 KiB of which Spaces take turns. A text counts with
 * its bytes, which no tokenizer exceeds, where counting it takes too long: the answer may be too high, never too low.
 */
@Injectable()
export class Tokenizer implements OnApplicationShutdown {
  private readonly host = new TokenizerThreadClient();
  private readonly turns: FairSemaphore;
  private readonly counted;

  constructor(
    private readonly config: RelayConfig,
    private readonly logger: Logger,
    private readonly payerCache: PayerCache,
    metrics: Metrics,
  ) {
    this.turns = new FairSemaphore({
      slots: CONCURRENCY,
      share: 1,
      waitMs: config.RELAY_TOKENIZER_REQUEST_MS,
      waiting: WAITING,
      refusal: tooManyWaitFor('the tokenizer'),
    });
    this.counted = metrics.counter(
      'switchyard_relay_tokenized_pieces_total',
      'Pieces of text whose tokens were counted: exactly, or by their bytes if the tokenizer ran out of time.',
      ['method'],
    );
    metrics.bounded(
      {
        name: 'switchyard_relay_tokenizer_pieces',
        help: 'Pieces of text that are being tokenized.',
        measures: ['used', 'limit', 'waiting'],
      },
      (set) => set({ used: this.turns.used, limit: this.turns.slots, waiting: this.turns.waiting }),
    );
  }

  /** All texts together. Above `enough` it is not counted on: the answer is over it, and that is all it says. */
  async count(spaceId: string | null, texts: readonly string[], enough = Infinity): Promise<number> {
    let tokens = 0;
    for (const counted of await this.countEach(spaceId, texts, enough)) tokens += counted;
    return tokens;
  }

  async countEach(spaceId: string | null, texts: readonly string[], enough = Infinity): Promise<number[]> {
    const tokens = texts.map(() => 0);
    let sum = 0;
    let end: number | null = null;
    for (const piece of tokenPieces(texts, PIECE_BYTES)) {
      end ??= await this.deadline();
      const isWorthwhile = sum <= enough && Date.now() < end;
      const counts = (isWorthwhile ? await this.countPiece(spaceId, piece, end) : null) ?? bytesOf(piece);
      for (const [at, { index }] of piece.entries()) {
        const counted = counts[at] ?? 0;
        tokens[index] = (tokens[index] ?? 0) + counted;
        sum += counted;
      }
    }
    return tokens;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.host.stop();
  }

  /** Loading the tables is not the text's fault: the time of a request begins after it. */
  private async deadline(): Promise<number> {
    await within(this.host.ready(), LOADING_MS).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'the tokenizer did not start; estimating tokens from bytes');
    });
    return Date.now() + this.config.RELAY_TOKENIZER_REQUEST_MS;
  }

  private async countPiece(spaceId: string | null, piece: readonly TextSlice[], end: number): Promise<number[] | null> {
    try {
      return await this.turns.run(spaceId === null ? null : this.payerCache.of(spaceId), async () => {
        const remaining = end - Date.now();
        if (remaining <= 0) return this.giveUp();
        const texts = piece.map(({ text }) => text);
        const { counts, isExact } = await within(
          this.host.count(texts, this.config.RELAY_TOKENIZER_PIECE_MS),
          remaining,
        );
        this.counted.inc({ method: isExact ? 'exact' : 'bytes' });
        return counts;
      });
    } catch (error) {
      this.logger.debug({ err: error }, 'estimated the tokens of a text from its bytes');
      return this.giveUp();
    }
  }

  private giveUp(): null {
    this.counted.inc({ method: 'bytes' });
    return null;
  }
}

const bytesOf = (piece: readonly TextSlice[]): number[] => piece.map(({ text }) => Buffer.byteLength(text));

async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error('the tokenizer did not answer in time'));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
