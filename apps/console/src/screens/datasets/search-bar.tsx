import { type ReactNode, type SyntheticEvent, useState } from 'react';
import type { DatasetField } from '@switchyard/client';
import { Search } from 'lucide-react';
import { Button } from '../../ui/button';
import { SelectField, TextField } from '../../ui/field';
import type { Way } from './record-search';

const WAYS: readonly { value: Way; label: string }[] = [
  { value: 'words', label: 'Full text' },
  { value: 'meaning', label: 'Vector' },
  { value: 'both', label: 'Hybrid' },
];

const waysOf = (fields: readonly DatasetField[]): readonly { value: Way; label: string }[] => {
  const hasWords = fields.some(({ fullText }) => fullText === true);
  const hasMeaning = fields.some(({ vector }) => vector === true);
  return WAYS.filter(({ value }) =>
    value === 'words' ? hasWords : value === 'meaning' ? hasMeaning : hasWords && hasMeaning,
  );
};

/** The way that the URL names where the dataset has it, its first one otherwise. */
export const wayOf = (named: string | undefined, fields: readonly DatasetField[]): Way | null => {
  const ways = waysOf(fields);
  return (ways.find(({ value }) => value === named) ?? ways[0])?.value ?? null;
};

interface Props {
  fields: readonly DatasetField[];
  words: string;
  way: Way | null;
  onSearch: (words: string, way: Way) => void;
}

/** It asks when it is told to: each search by meaning costs tokens. */
export function SearchBar({ fields, words, way, onSearch }: Props): ReactNode {
  const [draft, setDraft] = useState(words);
  const [existing, setCurrent] = useState(words);
  if (existing !== words) {
    setCurrent(words);
    setDraft(words);
  }
  if (way === null) return null;
  const search = (event: SyntheticEvent): void => {
    event.preventDefault();
    onSearch(draft.trim(), way);
  };
  return (
    <form role="search" aria-label="Records" className="flex flex-wrap items-start gap-2" onSubmit={search}>
      <TextField
        label="Search records"
        hideLabel
        type="search"
        placeholder="Search records"
        className="min-w-40 flex-1 sm:max-w-96"
        value={draft}
        onChange={(text) => {
          setDraft(text);
          if (text === '') onSearch('', way);
        }}
      />
      <SelectField
        label="Search by"
        hideLabel
        value={way}
        onChange={(next) => onSearch(draft.trim() === '' ? words : draft.trim(), next as Way)}
        options={waysOf(fields)}
      />
      <Button type="submit" icon={<Search className="size-4" aria-hidden="true" />}>
        Search
      </Button>
    </form>
  );
}
