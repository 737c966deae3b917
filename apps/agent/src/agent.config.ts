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

  @EnvOfPayload()
  EVENT_PAYLOAD_MAX_BYTES!: number;

  @Env(f.int({ min: 1 }), {
    default: 2000,
    reason: 'Turns that work in one process at a time; more wait for a moment and are then refused.',
  })
  TURNS_PER_PROCESS!: number;

  @Env(f.int({ min: 1 }), {
    default: 6000,
    reason: 'Turns that one process holds, those included that wait for a tool of their host application.',
  })
  TURNS_HELD_PER_PROCESS!: number;

  @Env(f.int({ min: 1, max: 100 }), {
    default: 33,
    reason: 'Percent of the turns of a process, held or working, that one Space has at most while others wait.',
  })
  TURN_SPACE_SHARE_PERCENT!: number;

  @Env(f.int({ min: 65_536 }), {
    default: 67_108_864,
    reason: 'Bytes of frames that are kept for the turns of one Space. Over it the oldest turns lose theirs.',
  })
  FRAMES_MAX_BYTES_PER_SPACE!: number;

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
    reason: 'Exact private addresses that outgoing calls may reach, separated by commas; with a port, that port alone.',
  })
  SWITCHYARD_ALLOW_PRIVATE_EGRESS?: string;

  @Env(
    f.text({ max: 1000, pattern: '^(\\s*[1-9][0-9]{0,4}\\s*(,|$))*$', allows: 'must be ports, separated by commas' }),
    {
      default: '',
      reason: 'Ports of public addresses that outgoing calls may go to, beside 80 and 443, separated by commas.',
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
    reason: 'How many days the versions of a deleted agent are kept. Its last turns may need them for 7.',
  })
  AGENT_DELETED_RETENTION_DAYS!: number;
}
