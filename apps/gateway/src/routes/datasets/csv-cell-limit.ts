import { invalid } from '@switchyard/kernel';

const QUOTE = 34;
const COMMA = 44;
const NEWLINE = 10;

/** A dataset has at most 100 fields; more cells than this in one record would only be built to be refused. */
const MAX_CELLS = 1000;

/** Refuses a record of CSV with too many cells, or one too long, before any cell of it is built. */
export class CsvCellLimit {
  private inQuotes = false;
  private cells = 1;
  private length = 0;
  private line = 1;
  private startsAt = 1;

  constructor(private readonly maxLength: number) {}

  /** The characters of the record that has not ended. */
  get buffered(): number {
    return this.length;
  }

  check(text: string): void {
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      this.length += 1;
      if (code === QUOTE) this.inQuotes = !this.inQuotes;
      else if (code === COMMA && !this.inQuotes) this.cells += 1;
      else if (code === NEWLINE) this.endLine();
      if (this.cells > MAX_CELLS) throw invalid(`line ${this.startsAt}`, `must not have more than ${MAX_CELLS} cells`);
      if (this.length > this.maxLength)
        throw invalid(`line ${this.startsAt}`, `must not be longer than ${this.maxLength} characters`);
    }
  }

  private endLine(): void {
    this.line += 1;
    if (this.inQuotes) return;
    this.cells = 1;
    this.length = 0;
    this.startsAt = this.line;
  }
}
