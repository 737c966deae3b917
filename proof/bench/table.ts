import { cpuText } from './cpu';
import type { Measured } from './row';

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 2 : 0 });

const outcomeOf = ({ judged, met }: Measured): string => {
  if (judged === 'none') return '';
  return met ? 'met' : 'MISSED';
};

export function table(rows: readonly Measured[]): string {
  const head = ['what', 'beside', 'ours', 'theirs', 'unit', 'ratio', 'target', '', 'CPU of one'];
  const cells = rows.map((row) => [
    row.what,
    row.beside,
    number(row.ours),
    Number.isNaN(row.theirs) ? '-' : number(row.theirs),
    row.unit,
    Number.isNaN(row.theirs) ? '-' : row.ratio.toFixed(2),
    row.target,
    outcomeOf(row),
    cpuText(row.cpu ?? {}),
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((line) => line[column]?.length ?? 0)));
  return [head, ...cells]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
