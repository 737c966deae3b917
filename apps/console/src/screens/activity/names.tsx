import type { ReactNode } from 'react';
import type { Activity, ActivityKind } from '@switchyard/client';
import { Bot, Briefcase, ListChecks, Zap } from 'lucide-react';
import { wordsOf } from '../../ui/badge';

const ICONS: Record<ActivityKind, typeof Bot> = { turn: Bot, execution: ListChecks, job: Briefcase, emission: Zap };

export const KindIcon = ({ kind }: { kind: ActivityKind }): ReactNode => {
  const Icon = ICONS[kind];
  return <Icon className="size-4 shrink-0 text-faint" aria-label={kind} />;
};

export const nameOf = ({ name, kind }: Activity): string =>
  name === null || name.trim() === '' ? wordsOf(kind) : name;
