import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { LedgerRow } from '@switchyard/client';
import { useList } from '../../api/use-list';
import { useClient } from '../../session/session-context';
import { Badge, type Tone, wordsOf } from '../../ui/badge';
import { number } from '../../ui/format';
import { Empty } from '../../ui/states';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import type { Names } from './use-names';

const KINDS: Record<LedgerRow['type'], { words: string; tone: Tone }> = {
  CREDIT: { words: 'Credit', tone: 'good' },
  CORRECTION: { words: 'Correction', tone: 'warn' },
  SETTLEMENT: { words: 'Charge', tone: 'none' },
};

const signed = new Intl.NumberFormat('en', { signDisplay: 'exceptZero' });

/** Every change of the balance, with what has caused it. */
export function Ledger({ names }: { names: Names }): ReactNode {
  const client = useClient();
  const list = useList(['usage', 'ledger'], (cursor) =>
    client.usage.ledger({ limit: 100, ...(cursor ? { cursor } : {}) }),
  );
  const columns: Column<LedgerRow>[] = [
    { name: 'What', cell: (row) => <What row={row} names={names} /> },
    {
      name: 'Kind',
      saysItself: true,
      width: '8rem',
      cell: ({ type }) => <Badge tone={KINDS[type].tone}>{KINDS[type].words}</Badge>,
    },
    {
      name: 'Turn',
      saysItself: true,
      width: '6rem',
      cell: ({ turnId }) =>
        turnId !== null && (
          <Link to={`/causes/turn/${turnId}`} className="text-accent hover:underline">
            Turn
          </Link>
        ),
    },
    { name: 'Tokens', width: '8rem', align: 'right', cell: ({ tokens }) => signed.format(tokens) },
    {
      name: 'Balance after',
      width: '9rem',
      align: 'right',
      cell: ({ balanceAfter }) => <span className="text-soft">{number(balanceAfter)}</span>,
    },
    {
      name: 'When',
      width: '7rem',
      align: 'right',
      cell: ({ createdAt }) => (
        <span className="text-soft">
          <Time at={createdAt} />
        </span>
      ),
    },
  ];
  return (
    <Table
      name="Ledger"
      list={list}
      columns={columns}
      keyOf={({ id }) => id}
      height="32rem"
      empty={
        <div className="card">
          <Empty title="No entries yet">Credits, corrections and charges for model calls appear here.</Empty>
        </div>
      }
    />
  );
}

function What({ row: { note, model, agentId, userId, keyId, source }, names }: { row: LedgerRow; names: Names }) {
  const by = [userId === null ? null : names.user(userId), keyId === null ? null : `key ${names.key(keyId)}`];
  const title =
    agentId === null ? (note ?? model ?? (source === null ? 'Balance' : wordsOf(source))) : names.agent(agentId);
  const more = [...new Set([agentId === null ? null : model, ...by])].filter((word) => word !== null && word !== title);
  return (
    <span className="grid min-w-0">
      <span className="truncate font-medium" dir="auto">
        {title}
      </span>
      {more.length > 0 && (
        <span className="truncate text-sm text-faint" dir="auto">
          {more.join(' · ')}
        </span>
      )}
    </span>
  );
}
