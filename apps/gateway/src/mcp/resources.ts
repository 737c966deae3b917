import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { AppError, isId } from '@switchyard/kernel';
import { Ctx, DatasetCalls, Scope, SessionCalls, hasScope } from '@switchyard/contracts';
import type { McpDeps } from './mcp-deps';

const LISTED = 50;

const idOf = (value: string | string[] | undefined): string => {
  const id = Array.isArray(value) ? value[0] : value;
  if (!isId(id)) throw new AppError('NOT_FOUND', 'There is no such resource.');
  return id;
};

function demand(ctx: Ctx, scope: Scope): void {
  if (!hasScope(ctx.scopes, scope)) throw new AppError('FORBIDDEN', `The key lacks the scope ${scope}.`);
}

const json = (uri: URL, value: unknown): { contents: { uri: string; mimeType: string; text: string }[] } => ({
  contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(value) }],
});

/** The schemas of datasets and the transcripts of one's own conversations, as documents to attach. */
export function registerResources(server: McpServer, ctx: Ctx, { bus }: McpDeps): void {
  server.registerResource(
    'dataset-schema',
    new ResourceTemplate('dataset://{datasetId}/schema', {
      list: async () => {
        if (!hasScope(ctx.scopes, 'datasets:read') || ctx.userId === null) return { resources: [] };
        const { items } = await bus.call(DatasetCalls.list, ctx, { limit: LISTED });
        return {
          resources: items.map(({ id, name }) => ({
            uri: `dataset://${id}/schema`,
            name: `${name} schema`,
            mimeType: 'application/json',
          })),
        };
      },
    }),
    {
      title: 'Schema of a dataset',
      description: 'The fields that records and queries use.',
      mimeType: 'application/json',
    },
    async (uri, { datasetId }) => {
      demand(ctx, 'datasets:read');
      const dataset = await bus.call(DatasetCalls.get, ctx, { id: idOf(datasetId) });
      return json(uri, {
        id: dataset.id,
        name: dataset.name,
        description: dataset.description,
        schema: dataset.schema,
      });
    },
  );
  server.registerResource(
    'session-transcript',
    new ResourceTemplate('session://{sessionId}/transcript', {
      list: async () => {
        if (!hasScope(ctx.scopes, 'sessions:read') || ctx.userId === null) return { resources: [] };
        const { items } = await bus.call(SessionCalls.list, ctx, { limit: LISTED });
        return {
          resources: items.map(({ id, title }) => ({
            uri: `session://${id}/transcript`,
            name: title ?? 'Untitled',
            mimeType: 'application/json',
          })),
        };
      },
    }),
    {
      title: 'Transcript of a conversation',
      description: 'The messages of one of your conversations.',
      mimeType: 'application/json',
    },
    async (uri, { sessionId }) => {
      demand(ctx, 'sessions:read');
      const { items } = await bus.call(SessionCalls.listMessages, ctx, { sessionId: idOf(sessionId), limit: 100 });
      return json(uri, items);
    },
  );
}
