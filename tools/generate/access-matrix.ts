import type { JsonSchema } from '@switchyard/contracts';

interface Access {
  public: boolean;
  role: string;
  scope: string | null;
  systemKey: string;
  operator?: string;
  strong?: boolean;
}

/** One line for each operation: its method and path, and the access that its caller needs. */
export function accessMatrix(document: JsonSchema): string {
  const paths = document['paths'] as Record<string, Record<string, { 'x-access': Access }>>;
  const lines = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, operation]) => `${method.toUpperCase()} ${path} | ${accessOf(operation['x-access'])}`,
    ),
  );
  return `${lines.sort().join('\n')}\n`;
}

function accessOf(access: Access): string {
  if (access.public) return 'public';
  if (access.operator !== undefined) return `operator ${access.operator}${access.strong ? ' strong' : ''}`;
  return `${access.role} ${access.scope ?? '-'} system:${access.systemKey}`;
}
