import { crc32 } from 'node:zlib';

/** A line of a segment: checksum, generation, entry, which may have U+2028. The checksum covers the rest of the line. */
const LINE = /^([0-9a-f]{8}) ((\d+) (.*))$/s;
/** The generation that a line names which cannot be read otherwise. */
const GENERATION = /^[0-9a-f]{8} (\d+) /;
const LINE_FEED = 10;

export interface JournalSegmentContent {
  entries: string[];
  /** Lines before the last entry that cannot be read. */
  damaged: string[];
}

const checksumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');

export function encodeRecord(generation: number, entry: string): string {
  const text = `${generation} ${entry}`;
  return `${checksumOf(text)} ${text}\n`;
}

/**
 * A segment is written over from its beginning when all of its entries are booked; each time has a higher generation.
 * So the highest generation counts, and lines behind its last entry are old, empty, or an incomplete write, which was
 * never acknowledged. Each other line before its last entry is damaged, unless it is the incomplete beginning of a
 * higher generation, or a whole line of a lower one: blocks of a write that was not acknowledged may reach the disk in
 * any order.
 */
export function parseSegment(bytes: Buffer): JournalSegmentContent {
  const lines = linesOf(bytes).map((line) => ({ line, record: parseLine(line) }));
  let newest = -1;
  for (const { record } of lines) newest = Math.max(newest, record?.generation ?? -1);
  const isNewest = ({ record }: (typeof lines)[number]): boolean => record?.generation === newest;
  const written = newest < 0 ? [] : lines.slice(0, lines.findLastIndex(isNewest) + 1);
  return {
    entries: written.flatMap((line) => (isNewest(line) && line.record ? line.record.entry : [])),
    damaged: written.flatMap(({ line, record }) => (record || namedGeneration(line) > newest ? [] : line)),
  };
}

const namedGeneration = (line: string): number => Number(GENERATION.exec(line)?.[1] ?? -1);

function parseLine(line: string): { generation: number; entry: string } | null {
  const [, checksum, text = '', generation, entry = ''] = LINE.exec(line) ?? [];
  return checksum !== undefined && checksum === checksumOf(text) ? { generation: Number(generation), entry } : null;
}

function linesOf(bytes: Buffer): string[] {
  const lines: string[] = [];
  let from = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, from)) {
    lines.push(bytes.toString('utf8', from, at));
    from = at + 1;
  }
  return lines;
}
