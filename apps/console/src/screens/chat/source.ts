import type { EvidenceItem } from '@switchyard/client';

/** Names of fields that title a record, the best first. */
const TITLES = ['title', 'name', 'subject', 'heading', 'question', 'label'];
const TITLE_CHARS = 120;

export interface Passage {
  field: string;
  text: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The field that titles the record: one with such a name, otherwise the first short text. */
function titleField({ fields }: EvidenceItem): string | undefined {
  const texts = Object.entries(fields).filter(([, value]) => typeof value === 'string' && value.trim() !== '');
  const byName = TITLES.map((title) => texts.find(([name]) => name.toLowerCase() === title)).find(Boolean);
  return (byName ?? texts.find(([, value]) => textOf(value).length <= TITLE_CHARS))?.[0];
}

export function titleOf(item: EvidenceItem): string {
  const field = titleField(item);
  const text = (field === undefined ? item.text : textOf(item.fields[field])).trim();
  return text === '' ? 'Untitled' : text.slice(0, TITLE_CHARS);
}

/** Fields as the agent read them. The text for the agent may end within a field; the order of stored fields may differ. */
export function passagesOf(item: EvidenceItem): { passages: Passage[]; isCut: boolean } {
  const fields = Object.entries(item.fields).flatMap(([field, value]) =>
    value === null || value === undefined ? [] : [{ field, text: textOf(value) }],
  );
  const isCut = fields.map(lineOf).join('\n').length > item.text.length;
  const title = titleField(item);
  const passages = fields
    .map((passage) => (isCut ? readPart(passage, item.text) : passage))
    .filter(({ field, text }) => text !== '' && (field !== title || text.length > TITLE_CHARS));
  return { passages, isCut };
}

const lineOf = ({ field, text }: Passage): string => `${field}: ${text}`;

function readPart(passage: Passage, read: string): Passage {
  if (read.includes(lineOf(passage))) return passage;
  const begin = `${passage.field}: `;
  const at = read.lastIndexOf(begin);
  const part = at < 0 ? '' : read.slice(at + begin.length);
  return { ...passage, text: passage.text.startsWith(part) ? part : '' };
}

const isSource = (item: unknown): item is EvidenceItem =>
  typeof item === 'object' &&
  item !== null &&
  'text' in item &&
  typeof item.text === 'string' &&
  'fields' in item &&
  typeof item.fields === 'object' &&
  item.fields !== null;

/** Sources of a stored event; other events have none. */
export const sourcesOf = ({ items }: Record<string, unknown>): EvidenceItem[] =>
  Array.isArray(items) ? items.filter(isSource) : [];
