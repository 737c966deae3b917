import type { Readable } from 'node:stream';
import type { ImportFormat, ImportLine } from '@switchyard/contracts';
import { AppError, checkJson, invalid } from '@switchyard/kernel';
import { CsvError, parse } from 'csv-parse';

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
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let number = 1;
  const decode = (bytes?: Buffer): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw invalid(`line ${number}`, 'is not valid UTF-8');
    }
  };
  for await (const bytes of file as AsyncIterable<Buffer>) {
    const lines = (rest + decode(bytes)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      yield line;
      number += 1;
    }
    if (rest.length > LINE_LENGTH) throw invalid(`line ${number}`, `is longer than ${LINE_LENGTH} characters`);
  }
  rest += decode();
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
  const rows = file.pipe(
    parse({ columns: readHeader, bom: true, info: true, skip_empty_lines: true, max_record_size: LINE_LENGTH }),
  );
  file.once('error', (error) => rows.destroy(error));
  try {
    for await (const row of rows as AsyncIterable<{ info: { lines: number }; record: Record<string, string> }>) {
      const size = Object.values(row.record).reduce((sum, cell) => sum + cell.length + 8, 0);
      yield { line: { line: row.info.lines, value: row.record }, size };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const number = (error as { lines?: number }).lines ?? 1;
    throw invalid(`line ${number}`, 'is not CSV with as many cells as the header has');
  }
}

function readHeader(header: string[]): string[] {
  const seen = new Set<string>();
  for (const name of header) {
    if (seen.has(name)) throw invalid('line 1', `the column ${name} is there twice`);
    seen.add(name);
  }
  return header;
}
