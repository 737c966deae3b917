import { PRODUCT_EVENTS, type ProductFields, type ReadDelta } from '@switchyard/contracts';

const TEXT = PRODUCT_EVENTS.contentDelta;

export interface TextPiece {
  seq: number;
  messageId: string;
  text: string;
}

export const textOf = (pieces: readonly TextPiece[]): string => pieces.map(({ text }) => text).join('');

export const pieceOf = ({ message_id: messageId, delta }: ProductFields<'contentDelta'>, seq: number): TextPiece => ({
  seq,
  messageId,
  text: delta,
});

/** Output sent to an append-only client: when a step runs again, its output is not sent twice. */
export class ReplayDeduplicator {
  /** The final text. */
  texts: TextPiece[] = [];
  thoughts: TextPiece[] = [];
  /** Void text that the client has and the repeated step has not sent yet. */
  private toRepeat = '';
  /** The repeated step, if the client already has reasoning of it; its message id is set at its first output. */
  private repeatedStep: { messageId: string | null } | null = null;

  /** No step is being repeated. */
  get isPassThrough(): boolean {
    return this.toRepeat === '' && this.repeatedStep === null;
  }

  get hasMoreToRepeat(): boolean {
    return this.toRepeat !== '';
  }

  /** Adds a delta while no step is being repeated. */
  acceptDelta(read: ReadDelta): void {
    const pieces = read.event === TEXT ? this.texts : this.thoughts;
    const last = pieces.at(-1)?.messageId;
    pieces.push({
      seq: read.seq,
      messageId: last !== undefined && read.isOf(last) ? last : read.messageId,
      text: read.delta,
    });
  }

  /** Whether to send this reasoning: reasoning of a repeated step is not sent a second time. */
  acceptReasoning(piece: TextPiece): boolean {
    this.thoughts.push(piece);
    return !this.isRepeated(piece);
  }

  /** The new part of this text; null if it differs from what was sent, which stays. */
  acceptText(piece: TextPiece): string | null {
    this.texts.push(piece);
    this.isRepeated(piece);
    const { text } = piece;
    if (!this.toRepeat.startsWith(text.slice(0, this.toRepeat.length))) return null;
    const fresh = text.slice(this.toRepeat.length);
    this.toRepeat = this.toRepeat.slice(text.length);
    return fresh;
  }

  /** `isSent`: the client has received the output that is void now. */
  onStepRestarted(fromSeq: number, isSent: boolean): void {
    const isVoid = ({ seq }: TextPiece): boolean => seq >= fromSeq;
    if (isSent) this.toRepeat = textOf(this.texts.filter(isVoid)) + this.toRepeat;
    // A step that restarts during its repetition is still the same step.
    const again = this.texts.some((piece) => isVoid(piece) && piece.messageId === this.repeatedStep?.messageId);
    if (again || this.thoughts.some(isVoid)) this.repeatedStep = { messageId: null };
    this.texts = this.texts.filter((piece) => !isVoid(piece));
    this.thoughts = this.thoughts.filter((piece) => !isVoid(piece));
  }

  /** The first output after it belongs to the step that runs again. */
  private isRepeated({ messageId }: TextPiece): boolean {
    if (this.repeatedStep) this.repeatedStep.messageId ??= messageId;
    return this.repeatedStep?.messageId === messageId;
  }
}

/** Error of a stream that cannot withdraw void output. */
export const OUTPUT_IS_VOID = {
  code: 'RUNTIME_UNAVAILABLE',
  message:
    'What was said is void, and the answer begins anew in other words. Ask again; with the same Idempotency-Key the answer is read to its end.',
};
