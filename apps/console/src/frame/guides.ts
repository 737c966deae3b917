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
  { guide: 'guides/agents', name: 'Agents and chats', of: ['agents', 'chat'] },
  { guide: 'guides/approvals', name: 'Approvals', of: ['inbox'] },
  { guide: 'guides/tasks', name: 'Tasks and jobs', of: ['tasks', 'executions', 'jobs'] },
  { guide: 'guides/datasets', name: 'Datasets', of: ['datasets'] },
  { guide: 'guides/events', name: 'Events and applications', of: ['events', 'applications'] },
  { guide: 'guides/activity', name: 'Activity and causes', of: ['activity', 'causes'] },
  { guide: 'guides/models', name: 'Models and usage', of: ['usage'] },
  { guide: 'guides/identity', name: 'People and keys', of: ['keys', 'members'] },
  { guide: 'guides/secrets', name: 'Secrets', of: ['secrets'] },
  { guide: 'operate/spaces', name: 'Operate Spaces', of: ['operator'] },
];

/** The guide to a page. */
export const guideOf = (pathname: string): Guide | undefined => {
  const [, first = ''] = pathname.split('/');
  return guides.find((one) => one.of.includes(first));
};
