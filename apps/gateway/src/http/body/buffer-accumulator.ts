/** So many pieces are kept as they came: most bodies have fewer. */
const RAW_PIECES = 16;
const BLOCK_BYTES = 16 * 1024;

/**
 * Bytes that arrive piece by piece, without the cost of each: a sender can cut ten megabytes into as many pieces, and
 * each would cost a hundred bytes of its own.
 */
export class BufferAccumulator {
  private pieces: Buffer[] = [];
  private block: Buffer | undefined;
  private used = 0;
  private size = 0;

  get length(): number {
    return this.size;
  }

  add(piece: Buffer): void {
    this.size += piece.length;
    if (this.pieces.length < RAW_PIECES || piece.length >= BLOCK_BYTES / 2) {
      this.closeBlock();
      this.pieces.push(piece);
      return;
    }
    if (this.used + piece.length > BLOCK_BYTES) this.closeBlock();
    this.block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
    piece.copy(this.block, this.used);
    this.used += piece.length;
  }

  /** All of them in one; nothing is kept. */
  take(): Buffer {
    this.closeBlock();
    const [first] = this.pieces;
    const whole = this.pieces.length === 1 && first ? first : Buffer.concat(this.pieces, this.size);
    this.pieces = [];
    this.size = 0;
    return whole;
  }

  private closeBlock(): void {
    if (this.block && this.used > 0) {
      const bytes = this.block.subarray(0, this.used);
      this.pieces.push(this.used < BLOCK_BYTES / 2 ? Buffer.from(bytes) : bytes);
    }
    this.block = undefined;
    this.used = 0;
  }
}
