import { once } from 'node:events';
import type { Readable, Transform } from 'node:stream';
import type { ImportLine } from '@switchyard/contracts';
import { invalid, TimeSlice } from '@switchyard/kernel';
import { CsvError, parse } from 'csv-parse';
import { CsvCellLimit } from './csv-cell-limit';
import { Utf8Decoder } from './utf8-decoder';

/** The parser reads its input in one go: this much does not block the event loop. */
const SLICE_LENGTH = 4096;

export interface Sized {
  line: ImportLine;
  size: number;
}

/**
 * The records of a CSV file, read no faster than they are taken. `held` hears how much of an unfinished record is kept.
 */
export async function* csvLines(
  file: Readable,
  maxLength: number,
  onBuffered: (length: number) => void,
): AsyncGenerator<Sized> {
  const rows = parse({
    columns: readHeader,
    bom: true,
    info: true,
    skip_empty_lines: true,
    max_record_size: maxLength,
  });
  const reading = new AbortController();
  const feeding = feed(file, rows, { guard: new CsvCellLimit(maxLength), onBuffered, signal: reading.signal });
  try {
    for await (const row of rows as AsyncIterable<{ info: { lines: number }; record: Record<string, string> }>) {
      const size = Object.values(row.record).reduce((sum, cell) => sum + cell.length + 8, 0);
      yield { line: { line: row.info.lines, value: row.record }, size };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const number = (error as { lines?: number }).lines ?? 1;
    throw invalid(`line ${number}`, 'is not CSV with as many cells as the header has');
  } finally {
    reading.abort();
    await feeding;
  }
}

interface Feed {
  guard: CsvCellLimit;
  onBuffered: (length: number) => void;
  signal: AbortSignal;
}

/** Gives the file to the parser in slices. The parser hears of everything that goes wrong before it. */
async function feed(file: Readable, rows: Transform, { guard, onBuffered, signal }: Feed): Promise<void> {
  const characters = new Utf8Decoder();
  const pace = new TimeSlice();
  const give = async (text: string): Promise<void> => {
    guard.check(text);
    onBuffered(guard.buffered);
    for (let start = 0; start < text.length && !signal.aborted; start += SLICE_LENGTH) {
      if (!rows.write(text.slice(start, start + SLICE_LENGTH))) await once(rows, 'drain', { signal });
      if (pace.isDue) await pace.rest();
    }
  };
  const chunks = (file.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const stopped = new Promise<IteratorResult<Buffer, unknown>>((resolve) => {
    signal.addEventListener('abort', () => resolve({ done: true, value: undefined }), { once: true });
  });
  try {
    for (;;) {
      const next: IteratorResult<Buffer, unknown> = await Promise.race([chunks.next(), stopped]);
      if (next.done === true) break;
      await give(characters.take(next.value));
    }
    if (!signal.aborted) await give(characters.end());
    rows.end();
  } catch (error) {
    // The reader has left, or the parser has failed and says so itself.
    if (signal.aborted || error instanceof CsvError) return;
    rows.destroy(error as Error);
  } finally {
    chunks.return?.().catch(() => undefined);
  }
}

function readHeader(header: string[]): string[] {
  const seen = new Set<string>();
  for (const name of header) {
    if (seen.has(name)) throw invalid('line 1', `the column ${name} is there twice`);
    // A record cannot have it, so that nothing further in could refuse it.
    if (name === '__proto__') throw invalid('line 1.__proto__', 'there is no field of this name in the dataset');
    seen.add(name);
  }
  return header;
}
