import {
  type Ctx,
  DatasetCalls,
  type Page,
  type PageRequest,
  SessionCalls,
  type CallContract,
} from '@switchyard/contracts';
import type { Bus } from '@switchyard/messaging';

/** One kind of document that a client may attach. */
export interface ResourceKind {
  name: string;
  template: string;
  /** Placeholder of the id in the URI template. */
  parameter: string;
  /** The operation that reads it: its contract says who may. */
  calls: CallContract;
  about: { title: string; description: string; mimeType: string };
  list(bus: Bus, ctx: Ctx, page: PageRequest): Promise<Page<{ id: string; name: string }>>;
  read(bus: Bus, ctx: Ctx, id: string): Promise<unknown>;
}

const datasetSchemas: ResourceKind = {
  name: 'dataset-schema',
  template: 'dataset://{datasetId}/schema',
  parameter: '{datasetId}',
  calls: DatasetCalls.get,
  about: {
    title: 'Schema of a dataset',
    description: 'The fields that records and queries use.',
    mimeType: 'application/json',
  },
  list: async (bus, ctx, page) => {
    const { items, nextCursor } = await bus.call(DatasetCalls.list, ctx, page);
    return { items: items.map(({ id, name }) => ({ id, name: `${name} schema` })), nextCursor };
  },
  read: async (bus, ctx, id) => {
    const { name, description, schema } = await bus.call(DatasetCalls.get, ctx, { id });
    return { id, name, description, schema };
  },
};

const sessionTranscripts: ResourceKind = {
  name: 'session-transcript',
  template: 'session://{sessionId}/transcript',
  parameter: '{sessionId}',
  calls: SessionCalls.listMessages,
  about: {
    title: 'Transcript of a conversation',
    description: 'The messages of one of your conversations.',
    mimeType: 'application/json',
  },
  list: async (bus, ctx, page) => {
    const { items, nextCursor } = await bus.call(SessionCalls.list, ctx, page);
    return { items: items.map(({ id, title }) => ({ id, name: title ?? 'Untitled' })), nextCursor };
  },
  read: async (bus, ctx, id) => (await bus.call(SessionCalls.listMessages, ctx, { sessionId: id, limit: 100 })).items,
};

/** In the order in which clients see them. */
export const resourceKinds: readonly ResourceKind[] = [datasetSchemas, sessionTranscripts];
