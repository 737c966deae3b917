interface Guide {
  /** The path of its file below docs/. */
  guide: string;
  name: string;
  /** The first part of the addresses that it is about. */
  of: readonly string[];
}

/** The guides that help offers; the others are reached from them. */
export const GUIDES: readonly Guide[] = [
  { guide: 'get-started/first-agent', name: 'Your first agent', of: [] },
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
  { guide: 'guides/mcp', name: 'MCP', of: [] },
  { guide: 'reference/client', name: 'Client library', of: [] },
  { guide: 'guides/clients', name: 'Other clients', of: [] },
  { guide: 'reference/errors', name: 'Errors and limits', of: [] },
];

/** The guide to a page. */
export const guideOf = (pathname: string): Guide | undefined => {
  const [, first = ''] = pathname.split('/');
  return GUIDES.find((one) => one.of.includes(first));
};
