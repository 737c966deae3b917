import { LRUCache } from 'lru-cache';

/** Characters of all spans that wait to be sent: what a collector that is away or slow may cost a process. */
const CARRIED_MAX = 16 * 1024 * 1024;

export type LongAttributes = Readonly<Record<string, string>>;

export const lengthOf = (attributes: LongAttributes): number =>
  Object.values(attributes).reduce((length, text) => length + text.length, 0);

/**
 * The long attributes of spans that are not sent yet. When they are too many the oldest go, and their spans without.
 */
export class CarriedContent {
  private readonly waiting: LRUCache<string, LongAttributes>;

  constructor(max = CARRIED_MAX) {
    this.waiting = new LRUCache({ maxSize: max, sizeCalculation: (attributes) => lengthOf(attributes) + 1 });
  }

  put(spanId: string, attributes: LongAttributes): void {
    this.waiting.set(spanId, { ...this.waiting.peek(spanId), ...attributes });
  }

  lengthOf(spanId: string): number {
    const attributes = this.waiting.peek(spanId);
    return attributes === undefined ? 0 : lengthOf(attributes);
  }

  /** Once. */
  take(spanId: string): LongAttributes | undefined {
    const attributes = this.waiting.peek(spanId);
    this.waiting.delete(spanId);
    return attributes;
  }
}
