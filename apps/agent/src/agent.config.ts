import { f } from '@switchyard/contracts';
import { DatabaseServiceConfig, Env, EnvOfPayload } from '@switchyard/service';

export class AgentConfig extends DatabaseServiceConfig {
  @Env(f.text({ min: 32 }), {
    secret: true,
    reason: 'Encrypts the headers of MCP servers: 32 bytes in base64 or hex, or `2:<new>,1:<old>`.',
  })
  DATA_KEY!: string;

  @Env(f.text(), { default: 'sim-chat', reason: 'The model of the built-in agents.' })
  SYSTEM_AGENT_MODEL!: string;

  @Env(f.int({ min: 1, max: 200 }), {
    default: 20,
    reason: 'Model calls of one turn, unless the agent sets a lower limit.',
  })
  TURN_MAX_STEPS!: number;

  @Env(f.int({ min: 1000 }), {
    default: 600_000,
    reason: 'How long a turn may take, not counting the time in which it waits for people.',
  })
  TURN_TIMEOUT_MS!: number;

  @Env(f.int({ min: 1000 }), {
    default: 300_000,
    reason: 'How long a turn waits for the result of a local tool, which your program runs.',
  })
  LOCAL_TOOL_TIMEOUT_MS!: number;

  @Env(f.int({ min: 100 }), { default: 60_000, reason: 'How long one call of a built-in or MCP tool may take.' })
  TOOL_TIMEOUT_MS!: number;

  @Env(f.int({ min: 1 }), {
    default: 262_144,
    reason: "Bytes of a tool's result that are stored and sent to the model. The rest is cut off.",
  })
  TOOL_OUTPUT_MAX_BYTES!: number;

  @EnvOfPayload()
  EVENT_PAYLOAD_MAX_BYTES!: number;

  @Env(f.int({ min: 1 }), {
    default: 2000,
    reason: 'Turns that one process runs at a time. Above it, new turns wait for a few seconds, then get 503.',
  })
  TURNS_PER_PROCESS!: number;

  @Env(f.int({ min: 1 }), {
    default: 6000,
    reason:
      'Turns in one process, including those that wait for the result of a local tool. Above it, new turns wait for a few seconds, then get 503.',
  })
  TURNS_HELD_PER_PROCESS!: number;

  @Env(f.int({ min: 1, max: 100 }), {
    default: 33,
    reason:
      'Percent of the turn slots of a process (TURNS_PER_PROCESS, TURNS_HELD_PER_PROCESS) that one Space may have while others wait.',
  })
  TURN_SPACE_SHARE_PERCENT!: number;

  @Env(f.int({ min: 65_536 }), {
    default: 67_108_864,
    reason:
      'Bytes of stream frames that are stored for replay per Space. Above it, the frames of the oldest turns are deleted.',
  })
  FRAMES_MAX_BYTES_PER_SPACE!: number;

  @Env(f.int({ min: 0, max: 20_000 }), {
    default: 8000,
    reason: 'How long a stopping process waits for its turns to end before other processes take them over.',
  })
  TURN_FINISH_WITHIN_MS!: number;

  @Env(f.text(), {
    optional: true,
    reason:
      'The address of a search service: a URL that contains `{query}` and returns JSON. Without it, the tool `web_search` is not available.',
  })
  WEB_SEARCH_URL?: string;

  @Env(f.text(), { optional: true, secret: true, reason: 'The bearer token for WEB_SEARCH_URL.' })
  WEB_SEARCH_KEY?: string;

  @Env(f.text(), {
    optional: true,
    reason:
      'Private addresses that agents, tasks, callbacks and endpoints may call, separated by commas. No ranges. With a port (`10.0.0.7:8080`), only that port.',
  })
  SWITCHYARD_ALLOW_PRIVATE_EGRESS?: string;

  @Env(
    f.text({ max: 1000, pattern: '^(\\s*[1-9][0-9]{0,4}\\s*(,|$))*$', allows: 'must be ports, separated by commas' }),
    {
      default: '',
      reason: 'Ports of public addresses that outgoing calls may use in addition to 80 and 443, separated by commas.',
    },
  )
  SWITCHYARD_EGRESS_PORTS!: string;

  @Env(f.int({ min: 100 }), {
    default: 10_000,
    reason: 'How long an MCP server may take to list its tools, all pages together, before it counts as unavailable.',
  })
  MCP_LIST_TIMEOUT_MS!: number;

  @Env(f.int({ min: 1, max: 5000 }), {
    default: 500,
    reason: 'Tools that an MCP server may list, all pages together; one with more counts as unavailable.',
  })
  MCP_TOOLS_MAX!: number;

  @Env(f.int({ min: 1024 }), {
    default: 4_194_304,
    reason: 'Bytes that an MCP server may send for one list of tools, all pages together, or for one call of a tool.',
  })
  MCP_ANSWER_MAX_BYTES!: number;

  @Env(f.int({ min: 8, max: 36_500 }), {
    default: 30,
    reason:
      'Days until the versions of a deleted agent are deleted too. More than 7, because its last turns may still need them.',
  })
  AGENT_DELETED_RETENTION_DAYS!: number;
}
