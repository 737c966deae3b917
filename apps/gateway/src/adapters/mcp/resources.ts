import {
  type McpServer,
  ProtocolError,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { type Ctx, type Page, type PageRequest, checkAccess, mayUse } from '@switchyard/contracts';
import { AppError, decodeCursor, encodeCursor, invalid, isId, notACursor } from '@switchyard/kernel';
import { checkAnswer } from './response-size-limit';
import type { McpDeps } from './mcp-deps';
import { answering } from './protocol-error';
import { type ResourceKind, resourceKinds } from './resource-kinds';

const PAGE = 50;
const LIST = 'mcp-resources';

/** Which kind a cursor goes on with, and where in its list. */
function readCursor(cursor: string | undefined, ctx: Ctx): { kinds: ResourceKind[]; cursor: string | undefined } {
  const kinds = resourceKinds.filter(({ calls }) => mayUse(calls, ctx));
  if (cursor === undefined) return { kinds, cursor: undefined };
  const [name, inner] = decodeCursor(LIST, cursor);
  const at = kinds.findIndex((kind) => kind.name === name);
  if (at === -1 || (inner !== null && typeof inner !== 'string')) throw notACursor();
  return { kinds: kinds.slice(at), cursor: inner ?? undefined };
}

interface ListedResource {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}

/** One list of all kinds, each newest first: the datasets, and then the conversations. */
async function listPage(
  given: string | undefined,
  ctx: Ctx,
  { bus }: McpDeps,
): Promise<{ resources: ListedResource[]; nextCursor?: string }> {
  const { kinds, cursor } = readCursor(given, ctx);
  const resources: ListedResource[] = [];
  let rest: string | undefined = cursor;
  for (const kind of kinds) {
    const limit = PAGE - resources.length;
    if (limit === 0) return { resources, nextCursor: encodeCursor(LIST, [kind.name, null]) };
    const pageRequest: PageRequest = rest === undefined ? { limit } : { limit, cursor: rest };
    const page: Page<{ id: string; name: string }> = await kind.list(bus, ctx, pageRequest);
    resources.push(
      ...page.items.map(({ id, name }) => ({ ...kind.about, uri: kind.template.replace(kind.parameter, id), name })),
    );
    if (page.nextCursor !== null) return { resources, nextCursor: encodeCursor(LIST, [kind.name, page.nextCursor]) };
    rest = undefined;
  }
  return { resources };
}

function parseUri(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw invalid('uri', 'must be the URI of a resource, as resources/list shows them');
  }
}

async function readResource(text: string, ctx: Ctx, { bus }: McpDeps): Promise<ReadResourceResult> {
  const uri = parseUri(text);
  for (const kind of resourceKinds) {
    const [before = '', after = ''] = kind.template.split(kind.parameter);
    const id = uri.href.slice(before.length, -after.length);
    if (uri.href !== `${before}${id}${after}` || !isId(id)) continue;
    checkAccess(kind.calls.access, ctx, 'gateway');
    const value = await kind.read(bus, ctx, id);
    checkAnswer(value);
    return { contents: [{ uri: uri.href, mimeType: kind.about.mimeType, text: JSON.stringify(value) }] };
  }
  throw new AppError('NOT_FOUND', 'Resource not found.');
}

/** The protocol knows a missing resource by the URI that is all of the error's data. */
const missing = (uri: string, { data, message }: ProtocolError): ProtocolError | null =>
  (data as { code?: string } | undefined)?.code === 'NOT_FOUND' ? new ResourceNotFoundError(uri, message) : null;

/** The schemas of datasets and the transcripts of one's own conversations, as documents to attach. */
export function registerResources({ server }: McpServer, ctx: Ctx, deps: McpDeps): void {
  server.setRequestHandler('resources/list', ({ params }) =>
    answering(deps, 'resources/list', () => listPage(params?.cursor, ctx, deps)),
  );
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: resourceKinds.map(({ name, template, about }) => ({ name, uriTemplate: template, ...about })),
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    try {
      return await answering(deps, 'resources/read', () => readResource(uri, ctx, deps));
    } catch (error) {
      throw missing(uri, error as ProtocolError) ?? error;
    }
  });
}
