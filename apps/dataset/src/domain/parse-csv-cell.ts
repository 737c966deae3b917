import { countValues, invalid, JSON_LIMITS } from '@switchyard/kernel';
import type { Column } from './table-layout';

/**
 * A cell of a CSV file as the value it stands for. An empty cell is no value, except where a text is required.
 * A number or boolean that cannot be read is left as it is, for the check of the field to refuse with its own words;
 * what is no JSON is refused here, because a json field would take it for a string.
 */
export function readCell(column: Column, cell: string): unknown {
  if (cell === '') return (column.type === 'string' || column.type === 'text') && !column.canLack ? '' : undefined;
  switch (column.type) {
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(cell.trim()) ? Number(cell) : cell;
    case 'boolean':
      return cell === 'true' ? true : cell === 'false' ? false : cell;
    case 'json':
      return parsed(cell, 'must be JSON; a string stands in quotes, as "text"');
    case 'string[]':
      return parsed(cell, 'must be a JSON list of strings, as ["a", "b"]');
    default:
      return cell;
  }
}

function parsed(cell: string, problem: string): unknown {
  // As many are refused once they are read, too; by then the reading has held up everybody.
  if (cell.length > JSON_LIMITS.nodes && countValues(cell, JSON_LIMITS.nodes) > JSON_LIMITS.nodes)
    throw invalid('', `must not hold more than ${JSON_LIMITS.nodes} values`);
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    throw invalid('', problem);
  }
}
