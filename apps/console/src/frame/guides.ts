interface Guide {
  /** The name of its file. */
  guide: string;
  name: string;
  /** The first part of the addresses that it is about. */
  of: readonly string[];
}

/** The guides that help offers; the others are reached from them. */
export const GUIDES: readonly Guide[] = [
  { guide: 'console', name: 'The console', of: ['settings'] },
  { guide: 'agents', name: 'Agents and chats', of: ['agents', 'chat'] },
  { guide: 'approvals', name: 'Approvals', of: ['inbox'] },
  { guide: 'tasks', name: 'Tasks and jobs', of: ['tasks', 'executions', 'jobs'] },
  { guide: 'datasets', name: 'Datasets', of: ['datasets'] },
  { guide: 'events', name: 'Events and applications', of: ['events', 'applications'] },
  { guide: 'activity', name: 'Activity and causes', of: ['activity', 'causes'] },
  { guide: 'models', name: 'Models and usage', of: ['usage'] },
  { guide: 'identity', name: 'People and keys', of: ['keys', 'members'] },
  { guide: 'secrets', name: 'Secrets', of: ['secrets'] },
  { guide: 'mcp', name: 'MCP', of: [] },
  { guide: 'client', name: 'Client library', of: [] },
  { guide: 'clients', name: 'Other clients', of: [] },
  { guide: 'errors', name: 'Errors and limits', of: [] },
];

/** The guide to a page. */
export const guideOf = (pathname: string): Guide | undefined => {
  const [, first = ''] = pathname.split('/');
  return GUIDES.find((one) => one.of.includes(first));
};
