import { type Readable, Transform, type TransformCallback } from 'node:stream';
import type { ImportFormat, ImportLine } from '@switchyard/contracts';
import { AppError, checkJson, invalid } from '@switchyard/kernel';
import { CsvError, parse } from 'csv-parse';
import { WholeCharacters } from './whole-characters';

const PART_LINES = 500;
const PART_LENGTH = 512 * 1024;
const LINE_LENGTH = 8 * 1024 * 1024;

/** The records of a file in parts, read no faster than they are taken. A line that cannot be read is refused by its number. */
export async function* importParts(file: Readable, format: ImportFormat): AsyncGenerator<ImportLine[]> {
  let part: ImportLine[] = [];
  let length = 0;
  for await (const { line, size } of format === 'csv' ? csvLines(file) : jsonLines(file)) {
    if (part.length > 0 && (part.length === PART_LINES || length + size > PART_LENGTH)) {
      yield part;
      part = [];
      length = 0;
    }
    part.push(line);
    length += size;
  }
  if (part.length > 0) yield part;
}

interface Sized {
  line: ImportLine;
  size: number;
}

async function* jsonLines(file: Readable): AsyncGenerator<Sized> {
  let number = 0;
  for await (const text of textLines(file)) {
    number += 1;
    if (text.trim() === '') continue;
    yield { line: { line: number, value: readLine(text, number) }, size: text.length };
  }
}

async function* textLines(file: Readable): AsyncGenerator<string> {
  const characters = new WholeCharacters();
  let rest = '';
  // The file outlives its reading: what is left of it after a bad line is not read here, but it is taken in.
  for await (const bytes of file.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const lines = (rest + characters.take(bytes)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > LINE_LENGTH) {
      throw invalid(`line ${characters.line}`, `is longer than ${LINE_LENGTH} characters`);
    }
  }
  characters.end();
  if (rest !== '') yield rest;
}

function readLine(text: string, number: number): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    throw invalid(`line ${number}`, 'is not valid JSON');
  }
  try {
    checkJson(value);
  } catch (error) {
    throw error instanceof AppError ? invalid(`line ${number}`, error.message) : error;
  }
  return value;
}

async function* csvLines(file: Readable): AsyncGenerator<Sized> {
  const rows = parse({
    columns: readHeader,
    bom: true,
    info: true,
    skip_empty_lines: true,
    max_record_size: LINE_LENGTH,
  });
  const text = textOf(file, rows);
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
    file.unpipe(text);
  }
}

/** The file as text, on its way to `rows`, which hears of everything that goes wrong before it. */
function textOf(file: Readable, rows: Transform): Transform {
  const characters = new WholeCharacters();
  const attempt = (done: TransformCallback, text: () => string): void => {
    let read: string;
    try {
      read = text();
    } catch (error) {
      done(error as Error);
      return;
    }
    done(null, read);
  };
  const text = new Transform({
    transform: (bytes: Buffer, _, done) => {
      attempt(done, () => characters.take(bytes));
    },
    flush: (done) => {
      attempt(done, () => characters.end());
    },
  });
  const fail = (error: Error): void => {
    rows.destroy(error);
  };
  file.once('error', fail);
  text.once('error', fail);
  file.pipe(text).pipe(rows);
  return text;
}

function readHeader(header: string[]): string[] {
  const seen = new Set<string>();
  for (const name of header) {
    if (seen.has(name)) throw invalid('line 1', `the column ${name} is there twice`);
    // A record cannot have it, so that nobody further in could refuse it.
    if (name === '__proto__') throw invalid('line 1.__proto__', 'there is no field of this name in the dataset');
    seen.add(name);
  }
  return header;
}
