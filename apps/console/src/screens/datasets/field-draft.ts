import type { DatasetField } from '@switchyard/client';
import { listText, textsIn, typedText, valueOf } from './values';

/** A field as it is edited: its values are texts. */
export interface FieldDraft {
  key: string;
  /** It is in the dataset already. */
  isStored: boolean;
  name: string;
  type: DatasetField['type'];
  required: boolean;
  unique: boolean;
  indexed: boolean;
  fullText: boolean;
  vector: boolean;
  default: string;
  enum: string;
}

export const TYPES: readonly DatasetField['type'][] = [
  'string',
  'text',
  'integer',
  'number',
  'decimal',
  'boolean',
  'date',
  'datetime',
  'uuid',
  'json',
  'string[]',
];

export const emptyField = (): FieldDraft => ({
  key: crypto.randomUUID(),
  isStored: false,
  name: '',
  type: 'string',
  required: false,
  unique: false,
  indexed: false,
  fullText: false,
  vector: false,
  default: '',
  enum: '',
});

export const draftOfField = (field: DatasetField): FieldDraft => ({
  key: field.name,
  isStored: true,
  name: field.name,
  type: field.type,
  required: field.required === true,
  unique: field.unique === true,
  indexed: field.indexed === true,
  fullText: field.fullText === true,
  vector: field.vector === true,
  default: typedText(field, field.default),
  enum: listText((field.enum ?? []).map((item) => typedText(field, item))),
});

export function fieldOf(draft: FieldDraft): DatasetField {
  const { name, type } = draft;
  const flags = (['required', 'unique', 'indexed', 'fullText', 'vector'] as const).filter((flag) => draft[flag]);
  const listed = textsIn(draft.enum);
  return {
    name,
    type,
    ...Object.fromEntries(flags.map((flag) => [flag, true])),
    ...(draft.default === '' ? {} : { default: valueOf({ type }, draft.default) }),
    ...(listed.length === 0 ? {} : { enum: listed.map((text) => valueOf({ type }, text)) }),
  };
}
