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
  words: TextPiece[] = [];
  thoughts: TextPiece[] = [];
  /** Said before it was void, and not yet again after it. */
  private owed = '';
  /** The step that is run again, of which the client has thoughts already: by its name, once it says anything. */
  private thoughtAgain: { messageId: string | null } | null = null;

  /** Nothing is told again at the moment. */
  get isPlain(): boolean {
    return this.owed === '' && this.thoughtAgain === null;
  }

  get isOwing(): boolean {
    return this.owed !== '';
  }

  /** Takes what is told as it stands, where nothing is told again. */
  goesOn(read: ReadDelta): void {
    const pieces = read.event === TEXT ? this.words : this.thoughts;
    const last = pieces.at(-1)?.messageId;
    pieces.push({
      seq: read.seq,
      messageId: last !== undefined && read.isOf(last) ? last : read.messageId,
      text: read.delta,
    });
  }

  /** Whether these thoughts are to be told: of a step that is run again, the first telling of them stands. */
  thinks(piece: TextPiece): boolean {
    this.thoughts.push(piece);
    return !this.isRepeated(piece);
  }

  /** The new part of this text; null if it differs from what was sent, which stays. */
  acceptText(piece: TextPiece): string | null {
    this.words.push(piece);
    this.isRepeated(piece);
    const { text } = piece;
    if (!this.owed.startsWith(text.slice(0, this.owed.length))) return null;
    const fresh = text.slice(this.owed.length);
    this.owed = this.owed.slice(text.length);
    return fresh;
  }

  /** `isSent`: the client has received the output that is void now. */
  restarted(fromSeq: number, isSent: boolean): void {
    const isVoid = ({ seq }: TextPiece): boolean => seq >= fromSeq;
    if (isSent) this.owed = textOf(this.words.filter(isVoid)) + this.owed;
    // Begun a third time before it was done a second time, it is the same step still.
    const again = this.words.some((piece) => isVoid(piece) && piece.messageId === this.thoughtAgain?.messageId);
    if (again || this.thoughts.some(isVoid)) this.thoughtAgain = { messageId: null };
    this.words = this.words.filter((piece) => !isVoid(piece));
    this.thoughts = this.thoughts.filter((piece) => !isVoid(piece));
  }

  /** The first output after it belongs to the step that runs again. */
  private isRepeated({ messageId }: TextPiece): boolean {
    if (this.thoughtAgain) this.thoughtAgain.messageId ??= messageId;
    return this.thoughtAgain?.messageId === messageId;
  }
}

/** Why a stream must end that cannot take back what it has told. */
export const OUTPUT_IS_VOID = {
  code: 'RUNTIME_UNAVAILABLE',
  message:
    'What was said is void, and the answer begins anew in other words. Ask again; with the same Idempotency-Key the answer is read to its end.',
};
