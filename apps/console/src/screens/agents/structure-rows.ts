/** Fields of an agent that are structures: each is a text of JSON while it is edited. */
export type StructureField =
  | 'promptVariables'
  | 'knowledge'
  | 'mcpServers'
  | 'localTools'
  | 'approvals'
  | 'responseSchema'
  | 'metadata';

/** How one field of a row is edited. `object` is JSON; `value` is JSON where it can be read as such, else text. */
export type RowFieldKind =
  | 'text'
  | 'area'
  | 'number'
  | 'check'
  | 'dataset'
  | 'approver'
  | 'object'
  | 'value'
  | 'words'
  | 'headers';

export interface RowField {
  name: string;
  label: string;
  kind: RowFieldKind;
  hint?: string;
  placeholder?: string;
  isWide?: boolean;
}

export type Row = Record<string, unknown>;

/** Form fields for the rows of each structure. Structures without fields are edited as JSON. */
export const ROW_FIELDS: Partial<Record<StructureField, readonly RowField[]>> = {
  promptVariables: [
    { name: 'name', label: 'Name', kind: 'text', placeholder: 'tone' },
    { name: 'default', label: 'Default', kind: 'value' },
    { name: 'description', label: 'Description', kind: 'text', isWide: true },
    { name: 'required', label: 'Required', kind: 'check' },
  ],
  knowledge: [
    { name: 'datasetId', label: 'Dataset', kind: 'dataset', isWide: true },
    { name: 'topK', label: 'Records', kind: 'number', placeholder: '5' },
    { name: 'minScore', label: 'Minimum score', kind: 'number', placeholder: '0 to 1' },
  ],
  mcpServers: [
    { name: 'name', label: 'Name', kind: 'text', placeholder: 'crm' },
    { name: 'url', label: 'Address', kind: 'text', placeholder: 'https://' },
    {
      name: 'headers',
      label: 'Headers',
      kind: 'headers',
      hint: 'One a line: authorization: Bearer {{ secrets.CRM }}. Stored values are never shown; empty keeps them.',
      isWide: true,
    },
    { name: 'allowedTools', label: 'Allowed tools', kind: 'words', hint: 'Empty: all.', isWide: true },
  ],
  localTools: [
    { name: 'name', label: 'Name', kind: 'text' },
    { name: 'description', label: 'Description', kind: 'text' },
    { name: 'parameters', label: 'Parameters', kind: 'object', hint: 'JSON Schema of the arguments.', isWide: true },
  ],
  approvals: [
    { name: 'tool', label: 'Tool', kind: 'text', placeholder: 'write_dataset', hint: 'A name, or a pattern with *.' },
    { name: 'by', label: 'Approved by', kind: 'approver' },
    {
      name: 'when',
      label: 'When',
      kind: 'object',
      placeholder: '{"operation": "delete"}',
      hint: 'A filter over the arguments. Empty: every call.',
      isWide: true,
    },
  ],
};

/** Initial values of a new row. */
export const NEW_ROWS: Partial<Record<StructureField, Row>> = {
  promptVariables: { name: '' },
  knowledge: { datasetId: '' },
  mcpServers: { name: '', url: '' },
  localTools: { name: '', description: '', parameters: { type: 'object', properties: {} } },
  approvals: { tool: '' },
};

/** The rows in a text of JSON; null where it is not a list of objects. */
export function rowsIn(text: string): Row[] | null {
  try {
    const value: unknown = JSON.parse(text);
    const isRow = (one: unknown): one is Row => typeof one === 'object' && one !== null && !Array.isArray(one);
    return Array.isArray(value) && value.every(isRow) ? value : null;
  } catch {
    return null;
  }
}

export const textOfRows = (rows: readonly Row[]): string => JSON.stringify(rows, null, 2);

/** A field that is emptied is left out: the API then uses its default. */
export function withField(row: Row, name: string, value: unknown): Row {
  const { [name]: _before, ...others } = row;
  const isEmpty = value === undefined || value === null || value === '' || value === false;
  // Names and addresses stay, though empty: the API says what is wrong with them.
  if (isEmpty && !['name', 'url', 'datasetId', 'tool', 'description'].includes(name)) return others;
  return { ...row, [name]: value ?? '' };
}

/** Whether a row holds JSON that is not finished. */
export const isUnfinished = (field: StructureField, row: Row): boolean =>
  (ROW_FIELDS[field] ?? []).some(({ name, kind }) => kind === 'object' && typeof row[name] === 'string');
