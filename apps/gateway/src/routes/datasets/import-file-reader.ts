import type { Readable } from 'node:stream';
import type { ImportFormat, ImportLine } from '@switchyard/contracts';
import { AppError, checkJson, invalid, JSON_LIMITS, TimeSlice } from '@switchyard/kernel';
import { checkLarge, isNotJson } from '../../http/body/request-body';
import { SLICE_BYTES } from '../../http/body/incremental-json-parser';
import { type Sized, csvLines } from './csv-lines';
import { LineSplitter } from './line-splitter';

const PART_LINES = 500;
const PART_LENGTH = 512 * 1024;
/** More than a body may have by default, so that an exported record can be imported again. A message carries 16 MiB. */
const LINE_LENGTH = 15 * 1024 * 1024;
const ROW_LENGTH = 8 * 1024 * 1024;

/** Hears how many bytes of the file are kept; throws to refuse them. */
export type KeepBytes = (bytes: number) => void;

/**
 * Records of a file in batches, read with backpressure. An invalid line is reported by its number. Memory: one batch
 * and one incomplete line, reserved through `keep` before it grows.
 */
export async function* importParts(
  file: Readable,
  format: ImportFormat,
  keep: KeepBytes = () => undefined,
): AsyncGenerator<ImportLine[]> {
  let part: ImportLine[] = [];
  let length = 0;
  const onBuffered = (unfinished: number): void => {
    keep(length + unfinished);
  };
  for await (const { line, size } of format === 'csv'
    ? csvLines(file, ROW_LENGTH, onBuffered)
    : jsonLines(file, onBuffered)) {
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

async function* jsonLines(file: Readable, onBuffered: (unfinished: number) => void): AsyncGenerator<Sized> {
  const splitter = new LineSplitter(LINE_LENGTH);
  const pace = new TimeSlice();
  // After a bad line, the rest of the file is received but not read.
  for await (const bytes of file.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    for (const { number, text } of splitter.push(bytes)) {
      if (pace.isDue) await pace.rest();
      if (text.trim() !== '') yield { line: { line: number, value: await readLine(text, number) }, size: text.length };
    }
    onBuffered(splitter.buffered);
  }
  const last = splitter.end();
  if (last && last.text.trim() !== '')
    yield { line: { line: last.number, value: await readLine(last.text, last.number) }, size: last.text.length };
}

/** A large one in slices, and refused for the number of its values before they are built. */
function readLine(text: string, number: number): unknown {
  return text.length > SLICE_BYTES ? readLargeLine(text, number) : readShortLine(text, number);
}

async function readLargeLine(text: string, number: number): Promise<unknown> {
  try {
    return await checkLarge(Buffer.from(text), JSON_LIMITS);
  } catch (error) {
    if (isNotJson(error)) throw invalid(`line ${number}`, 'is not valid JSON');
    throw error instanceof AppError ? invalid(`line ${number}`, error.message) : error;
  }
}

function readShortLine(text: string, number: number): unknown {
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
