import type { AttackOutcome } from './outcome';
import { OPERATIONS } from './victim';

const ms = (value: number | undefined): string => (value === undefined ? '-' : String(value));

const statusesOf = (statuses: AttackOutcome['statuses']): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${status === '0' ? 'closed' : status}×${count}`)
    .join(' ');

/** A row of Markdown for each attack: the victim's p95 in ms, quiet and attacked, and the largest memory kept. */
export function neighbourTable(outcomes: readonly AttackOutcome[]): string {
  const rows = outcomes.map(({ name, statuses, quiet, attacked, memoryGrowth, broken }) => [
    name,
    ...OPERATIONS.map((operation) => `${ms(quiet[operation])} → ${ms(attacked[operation])}`),
    `${Math.max(0, ...Object.values(memoryGrowth))} MiB`,
    statusesOf(statuses),
    broken.length === 0 ? 'ok' : 'BROKEN',
  ]);
  const head = ['attack', ...OPERATIONS, 'memory kept', 'answers', ''];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
