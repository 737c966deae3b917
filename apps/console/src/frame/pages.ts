import type { Role } from '@switchyard/client';
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
  Settings,
  Shield,
  Users,
  Zap,
} from 'lucide-react';

export interface PageLink {
  name: string;
  to: string;
  icon: LucideIcon;
  /** Who may read it; everybody unless it says so. */
  least?: Role;
}

/** The pages by their names, as the navigation groups them. */
export const pages: readonly (readonly PageLink[])[] = [
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
    { name: 'Applications', to: '/applications', icon: AppWindow },
  ],
  [
    { name: 'Usage', to: '/usage', icon: ChartColumn },
    { name: 'Keys', to: '/keys', icon: KeyRound, least: 'MEMBER' },
    { name: 'Secrets', to: '/secrets', icon: Shield, least: 'MEMBER' },
    { name: 'Members', to: '/members', icon: Users, least: 'ADMIN' },
    { name: 'Settings', to: '/settings', icon: Settings },
  ],
];
