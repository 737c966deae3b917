interface Guide {
  /** The path of its file below docs/. */
  guide: string;
  name: string;
  /** The first part of the addresses that it is about. */
  of: readonly string[];
}

/** The guides to the screens. Their index is docs/README.md. */
const guides: readonly Guide[] = [
  { guide: 'guides/console', name: 'The console', of: ['settings'] },
  { guide: 'guides/agents', name: 'Agents', of: ['agents'] },
  { guide: 'guides/chat', name: 'Chat', of: ['chat'] },
  { guide: 'guides/approvals', name: 'Approvals', of: ['inbox'] },
  { guide: 'guides/tasks', name: 'Tasks and jobs', of: ['tasks', 'executions', 'jobs'] },
  { guide: 'guides/datasets', name: 'Datasets', of: ['datasets'] },
  { guide: 'guides/events', name: 'Events', of: ['events'] },
  { guide: 'guides/applications', name: 'Applications', of: ['applications'] },
  { guide: 'guides/activity', name: 'Activity and causes', of: ['activity', 'causes'] },
  { guide: 'guides/budgets', name: 'Budgets and usage', of: ['usage'] },
  { guide: 'guides/api-keys', name: 'API keys', of: ['keys'] },
  { guide: 'guides/members', name: 'Members', of: ['members'] },
  { guide: 'guides/secrets', name: 'Secrets', of: ['secrets'] },
  { guide: 'operate/spaces', name: 'Operate Spaces', of: ['operator'] },
];

/** The guide to a page. */
export const guideOf = (pathname: string): Guide | undefined => {
  const [, first = ''] = pathname.split('/');
  return guides.find((one) => one.of.includes(first));
};
