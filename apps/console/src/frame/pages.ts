import type { Role } from '@switchyard/client';
import { hasSpace, isAtLeast, type Session } from '../session/session-context';
import {
  Activity,
  AppWindow,
  Bot,
  Briefcase,
  ChartColumn,
  Database,
  Inbox,
  KeyRound,
  ListChecks,
  type LucideIcon,
  MessageSquare,
  Network,
  Settings,
  Shield,
  ShieldCheck,
  ShieldUser,
  Users,
  Webhook,
  Zap,
} from 'lucide-react';

export interface PageLink {
  name: string;
  to: string;
  icon: LucideIcon;
  /** Roles that may open the page; all by default. */
  least?: Role;
  /** For the operators of the platform, in whichever Space they are. */
  isForOperators?: true;
}

/** The pages by their names, as the navigation groups them. */
const pages: readonly (readonly PageLink[])[] = [
  [
    { name: 'Activity', to: '/activity', icon: Activity },
    { name: 'Inbox', to: '/inbox', icon: Inbox },
    { name: 'Chat', to: '/chat', icon: MessageSquare },
  ],
  [
    { name: 'Agents', to: '/agents', icon: Bot },
    { name: 'Tasks', to: '/tasks', icon: ListChecks },
    { name: 'Jobs', to: '/jobs', icon: Briefcase },
    { name: 'Datasets', to: '/datasets', icon: Database },
    { name: 'Events', to: '/events', icon: Zap },
    { name: 'Endpoints', to: '/endpoints', icon: Webhook, least: 'MEMBER' },
    { name: 'Applications', to: '/applications', icon: AppWindow },
  ],
  [
    { name: 'Usage', to: '/usage', icon: ChartColumn },
    { name: 'Keys', to: '/keys', icon: KeyRound, least: 'MEMBER' },
    { name: 'NATS accounts', to: '/nats-accounts', icon: Network, least: 'ADMIN' },
    { name: 'Secrets', to: '/secrets', icon: Shield, least: 'MEMBER' },
    { name: 'Members', to: '/members', icon: Users, least: 'ADMIN' },
    { name: 'Security events', to: '/security-events', icon: ShieldCheck, least: 'ADMIN' },
    { name: 'Settings', to: '/settings', icon: Settings },
  ],
  [{ name: 'Operator', to: '/operator', icon: ShieldUser, isForOperators: true }],
];

/** The pages that a person finds: in no Space an operator has the platform's alone. */
export const pagesFor = ({ user, space }: Pick<Session, 'user' | 'space'>): PageLink[][] =>
  pages
    .map((group) =>
      group.filter(({ least, isForOperators }) =>
        isForOperators === true
          ? user.operator === true
          : hasSpace(space) && (least === undefined || isAtLeast(space.role, least)),
      ),
    )
    .filter((group) => group.length > 0);
