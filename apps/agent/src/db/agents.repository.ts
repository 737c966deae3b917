import { Injectable } from '@nestjs/common';
import { AppError, jsonBytes, newId } from '@switchyard/kernel';
import type {
  AgentSummary,
  AgentVersionSummary,
  ListAgents,
  OversizedFields,
  Page,
  PageRequest,
} from '@switchyard/contracts';
import {
  type RowOf,
  type Tx,
  type Weighed,
  lightPage,
  listById,
  listByNumber,
  readableFieldsSql,
} from '@switchyard/database';
import {
  type AgentBody,
  type AgentRecord,
  bodyOf,
  listedBody,
  type ListedBody,
  type StoredBody,
  summaryOf,
  wholeBody,
} from '../domain/stored-agent';
import { agentFields } from '../domain/agent-fields';
import { agentVersions, agents, memories } from './tables';

type AgentRow = RowOf<typeof agents>;

const LIST = listById('agents');
const VERSION_LIST = listByNumber('agent-versions', ({ version }: { version: number }) => version);
/** Values that are too large to be read stay in the database. */
const READABLE_BODY = readableFieldsSql('body');
const OTHER_COLUMNS = `secrets, version, created_by, created_at, updated_at, oversized`;
const COLUMNS = `id, ${READABLE_BODY} as body, ${OTHER_COLUMNS}`;
/** The body without what may be large. */
const LARGE_FIELDS_SQL = `'{${agentFields.large.join(',')}}'::text[]`;
const LISTED_BODY = `${readableFieldsSql('body')} - ${LARGE_FIELDS_SQL} as body`;
const LISTED_COLUMNS = `id, ${readableFieldsSql('body')} - ${LARGE_FIELDS_SQL} as body, version, created_by, created_at, updated_at, oversized`;

interface ListedRow {
  id: string;
  body: ListedBody;
  version: number;
  createdBy: string | null;
  createdAt: string;
  updatedAt: string;
  oversized: OversizedFields;
}

/** Which agents of a Space are listed; `keyAgents`: those that the caller's key is held to, where it is. */
interface ListCaller {
  userId: string | null;
  keyAgents: readonly string[] | undefined;
}

/**
 * Those that `hasPlaceholders` or that declare a variable. The index `agents_prompts` knows them; no body is read for
 * it.
 */
const IS_PROMPT = `(body -> 'promptVariables' <> '[]'::jsonb or strpos(body ->> 'systemPrompt', '{{') > 0)`;

const recordOf = (row: AgentRow): AgentRecord => ({
  ...wholeBody(row.body),
  id: row.id,
  system: false,
  version: row.version,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  secrets: row.secrets,
  oversized: row.oversized,
});

/** Body fields that are also columns, for search. */
const columnsOf = ({ body }: { body: AgentBody }) => ({
  name: body.name,
  agentType: body.agentType,
  accessScope: body.accessScope,
  allowedUserIds: body.allowedUserIds,
  body,
});

interface StoredVersion {
  body: AgentBody;
  secrets: Record<string, string>;
  changedBy: string | null;
  createdAt: string;
  oversized: OversizedFields;
}

export interface ReadAgent {
  record: AgentRecord;
  /** About as many as its JSON has. */
  bytes: number;
}

export const agentNotFound = (): AppError => new AppError('NOT_FOUND', 'Agent not found in this Space.');

@Injectable()
export class AgentsRepository {
  async add(
    tx: Tx,
    spaceId: string,
    agent: { id: string; body: AgentBody; secrets: Record<string, string>; by: string | null },
  ): Promise<AgentRecord> {
    const { id, secrets, by } = agent;
    const row = await tx.rows(agents).insert({ spaceId, id, ...columnsOf(agent), secrets, version: 1, createdBy: by });
    await this.keepVersion(tx, spaceId, row, agent.by);
    return recordOf(row);
  }

  async count(tx: Tx, spaceId: string): Promise<number> {
    const row = await tx.one<{ count: number }>('select count(*)::int as count from agents where space_id = $1', [
      spaceId,
    ]);
    return row?.count ?? 0;
  }

  /** For every call of an agent: prepared once per connection. As text, whose length is its weight in a cache. */
  async read(tx: Tx, spaceId: string, id: string): Promise<ReadAgent | null> {
    const [row] = await tx.prepared<Omit<AgentRow, 'body'> & { text: string }>(
      'agent-by-id',
      `select id, ${READABLE_BODY}::text as text, ${OTHER_COLUMNS} from agents where space_id = $1 and id = $2`,
      [spaceId, id],
    );
    if (!row) return null;
    const { text, ...rest } = row;
    const record = recordOf({ ...rest, body: JSON.parse(text) as AgentRow['body'] });
    return { record, bytes: text.length + jsonBytes(row.secrets) };
  }

  async find(tx: Tx, spaceId: string, id: string): Promise<AgentRecord | null> {
    return (await this.read(tx, spaceId, id))?.record ?? null;
  }

  async getForUpdate(tx: Tx, spaceId: string, id: string): Promise<AgentRecord> {
    const row = await tx.one<AgentRow>(`select ${COLUMNS} from agents where space_id = $1 and id = $2 for update`, [
      spaceId,
      id,
    ]);
    if (!row) throw agentNotFound();
    return recordOf(row);
  }

  async change(
    tx: Tx,
    spaceId: string,
    id: string,
    change: { body: AgentBody; secrets: Record<string, string>; by: string | null },
  ): Promise<AgentRecord> {
    const { secrets } = change;
    const row = await tx.rows(agents).save({ spaceId, id }, { ...columnsOf(change), secrets });
    if (!row) throw agentNotFound();
    await this.keepVersion(tx, spaceId, row, change.by);
    return recordOf(row);
  }

  async remove(tx: Tx, spaceId: string, id: string): Promise<void> {
    await tx.rows(memories).remove({ spaceId, agentId: id });
    // Of requests at the same time, one removes it.
    if ((await tx.rows(agents).remove({ spaceId, id })) === 0) throw agentNotFound();
    await tx.run(
      'update agent_versions set removed_at = clock_timestamp() where space_id = $1 and agent_id = $2 and removed_at is null',
      [spaceId, id],
    );
  }

  /** Versions of agents that were deleted so many days ago. Those of an agent that is there are all kept. */
  removeOldVersions(tx: Tx, days: number, limit: number): Promise<number> {
    return tx.count(
      `delete from agent_versions where ctid = any(array(
         select ctid from agent_versions where removed_at < (select clock_timestamp()) - make_interval(days => $1)
          order by removed_at limit $2 for update skip locked))`,
      [days, limit],
    );
  }

  async list(
    tx: Tx,
    spaceId: string,
    { userId, keyAgents }: ListCaller,
    query: ListAgents & { prompts?: boolean },
  ): Promise<Page<AgentSummary>> {
    const window = LIST.windowOf(query);
    const params: unknown[] = [spaceId];
    const where = ['space_id = $1'];
    const param = (value: unknown): string => `$${params.push(value)}`;
    if (window.after !== null) where.push(`id < ${param(window.after)}`);
    if (query.agentType) where.push(`agent_type = ${param(query.agentType)}`);
    if (query.q) where.push(`strpos(lower(name), lower(${param(query.q)})) > 0`);
    if (query.accessibleOnly) where.push(`(access_scope = 'SPACE' or ${param(userId)}::uuid = any(allowed_user_ids))`);
    if (query.accessibleOnly && keyAgents) where.push(`id = any(${param(keyAgents)}::uuid[])`);
    if (query.prompts) where.push(IS_PROMPT);
    const rows = await tx.query<ListedRow & Weighed>(
      lightPage(
        `select ${LISTED_COLUMNS} from agents where ${where.join(' and ')} order by id desc limit ${window.take}`,
        'id desc',
        ['body'],
      ),
      params,
    );
    const view = ({ body, ...row }: ListedRow): AgentSummary =>
      summaryOf({ ...listedBody(body), ...row, system: false });
    return LIST.pageOf(rows, window, view, rows[0]?.found);
  }

  /** The first hundred agents whose MCP servers get a secret. */
  naming(tx: Tx, spaceId: string, secret: string): Promise<{ id: string; name: string }[]> {
    return tx.query(
      `select id, name from agents where space_id = $1 and body -> 'mcpServers' @> $2::jsonb order by id limit 100`,
      [spaceId, JSON.stringify([{ secretNames: [secret] }])],
    );
  }

  async findVersion(tx: Tx, spaceId: string, agentId: string, version: number): Promise<StoredVersion | null> {
    const row = await tx.one<StoredVersion & { body: StoredBody }>(
      `select ${readableFieldsSql('body')} as body, secrets, changed_by, created_at, oversized from agent_versions
       where space_id = $1 and agent_id = $2 and version = $3`,
      [spaceId, agentId, version],
    );
    return row && { ...row, body: wholeBody(row.body) };
  }

  async listVersions(
    tx: Tx,
    spaceId: string,
    agent: AgentRecord,
    request: PageRequest,
  ): Promise<Page<AgentVersionSummary>> {
    const window = VERSION_LIST.windowOf(request);
    type VersionRow = Pick<StoredVersion, 'changedBy' | 'createdAt' | 'oversized'> & {
      version: number;
      body: ListedBody;
    };
    const rows = await tx.query<VersionRow & Weighed>(
      lightPage(
        `select version, ${LISTED_BODY}, changed_by, created_at, oversized from agent_versions
         where space_id = $1 and agent_id = $2 and version < $3::bigint order by version desc limit $4`,
        'version desc',
        ['body'],
      ),
      [spaceId, agent.id, window.after ?? Number.MAX_SAFE_INTEGER, window.take],
    );
    const versionView = (row: VersionRow): AgentVersionSummary => ({
      agentId: agent.id,
      version: row.version,
      agent: summaryOf({
        ...agent,
        ...listedBody(row.body),
        version: row.version,
        updatedAt: row.createdAt,
        oversized: row.oversized,
      }),
      changedBy: row.changedBy,
      createdAt: row.createdAt,
    });
    return VERSION_LIST.pageOf(rows, window, versionView, rows[0]?.found);
  }

  private async keepVersion(tx: Tx, spaceId: string, row: AgentRow, by: string | null): Promise<void> {
    await tx.rows(agentVersions).insert({
      spaceId,
      id: newId(),
      agentId: row.id,
      version: row.version,
      body: bodyOf(wholeBody(row.body)),
      secrets: row.secrets,
      changedBy: by,
      removedAt: null,
    });
  }
}
