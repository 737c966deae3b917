import type { ReactNode } from 'react';
import type { DatasetField } from '@switchyard/client';
import { Badge } from '../../ui/badge';
import { exactTime } from '../../ui/format';
import { textOf } from './values';

/** A long text is shortened in the cell; the editor has all of it. */
const MOST = 300;

/** A value as its type reads: a missing one is nothing, null says so. */
export function CellValue({ field, value }: { field: DatasetField; value: unknown }): ReactNode {
  if (value === undefined) return null;
  if (value === null) return <span className="font-mono text-xs text-faint">null</span>;
  if (field.type === 'boolean') return <Badge tone={value === true ? 'good' : 'none'}>{textOf(value)}</Badge>;
  if (field.type === 'datetime' && typeof value === 'string') return <span title={value}>{exactTime(value)}</span>;
  if (field.type === 'string[]' && Array.isArray(value))
    return (
      <span className="inline-flex gap-1">
        {value.slice(0, 12).map((item, index) => (
          <Badge key={index}>{textOf(item).slice(0, MOST)}</Badge>
        ))}
      </span>
    );
  const text = textOf(value).slice(0, MOST);
  const isCode = field.type === 'json' || field.type === 'uuid';
  return (
    <span dir="auto" className={isCode ? 'font-mono text-xs' : undefined}>
      {text}
    </span>
  );
}
