import type { ReactNode } from 'react';
import type { Activity, ActivityKind } from '@switchyard/client';
import { Bot, Briefcase, ListChecks, Zap } from 'lucide-react';
import { recordName } from '../../api/record-names';
import { useAgentNames } from '../jobs/use-agent-names';

const ICONS: Record<ActivityKind, typeof Bot> = { turn: Bot, execution: ListChecks, job: Briefcase, emission: Zap };

export const KindIcon = ({ kind }: { kind: ActivityKind }): ReactNode => {
  const Icon = ICONS[kind];
  return <Icon className="size-4 shrink-0 text-faint" aria-label={kind} />;
};

/** Names of records: a turn has that of its agent. */
export function useNameOf(): (row: Activity) => string {
  const { readName } = useAgentNames();
  return (row) => recordName(row, readName);
}
