import { f } from '@switchyard/contracts';
import { DatabaseServiceConfig, Env } from '@switchyard/service';

export class AgentConfig extends DatabaseServiceConfig {
  @Env(f.text({ min: 32 }), {
    secret: true,
    reason: 'Encrypts the headers of MCP servers at rest (32 bytes in base64 or hex).',
  })
  DATA_KEY!: string;

  @Env(f.text(), { default: 'sim-chat', reason: 'The model of the built-in agents.' })
  SYSTEM_AGENT_MODEL!: string;

  @Env(f.int({ min: 1, max: 200 }), { default: 20, reason: 'Model steps of one turn, unless the agent says fewer.' })
  TURN_MAX_STEPS!: number;

  @Env(f.int({ min: 1000 }), {
    default: 600_000,
    reason: 'How long a turn may work; waiting for people does not count.',
  })
  TURN_TIMEOUT_MS!: number;

  @Env(f.int({ min: 1000 }), {
    default: 300_000,
    reason: 'How long a turn waits for a tool that the host application runs.',
  })
  LOCAL_TOOL_TIMEOUT_MS!: number;

  @Env(f.int({ min: 100 }), { default: 60_000, reason: 'How long one call of a built-in or MCP tool may take.' })
  TOOL_TIMEOUT_MS!: number;

  @Env(f.int({ min: 1 }), { default: 262_144, reason: 'Bytes of a tool result that are kept; the rest is cut off.' })
  TOOL_OUTPUT_MAX_BYTES!: number;

  @Env(f.int({ min: 1 }), {
    default: 2000,
    reason: 'Turns that one process runs at a time; more are refused until some end.',
  })
  TURNS_PER_PROCESS!: number;

  @Env(f.int({ min: 0, max: 20_000 }), {
    default: 8000,
    reason: 'How long a stopping process lets its turns come to their end before it hands them over.',
  })
  TURN_FINISH_WITHIN_MS!: number;

  @Env(f.text(), {
    optional: true,
    reason: 'Answers web searches: a URL with {query} in it that gives JSON. Without it there is no web search.',
  })
  WEB_SEARCH_URL?: string;

  @Env(f.text(), { optional: true, secret: true, reason: 'Sent to the web search as a bearer token.' })
  WEB_SEARCH_KEY?: string;

  @Env(f.text(), {
    optional: true,
    reason: 'Private addresses that calls to user-given addresses may reach all the same (comma separated).',
  })
  SWITCHYARD_ALLOW_PRIVATE_EGRESS?: string;

  @Env(f.int({ min: 1000 }), {
    default: 300_000,
    reason: 'How long the tool list of an MCP server is kept before it is asked again.',
  })
  MCP_TOOLS_TTL_MS!: number;

  @Env(f.int({ min: 100 }), {
    default: 4000,
    reason: 'How long an MCP server may take to list its tools before it counts as unavailable.',
  })
  MCP_LIST_TIMEOUT_MS!: number;
}
