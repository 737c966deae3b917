import type { JsonObject } from '@switchyard/kernel';
import { Described, Field } from '../fields/field';
import { PLATFORM_WRITTEN } from '../fields/json-size';
import { f } from '../fields/field-schema';

@Described('A tool of an MCP server.')
export class McpToolView {
  @Field(f.text(), { description: 'Name of the server.' }) server!: string;
  @Field(f.text(), { description: 'Name of the tool.' }) name!: string;
  @Field(f.text(), { nullable: true }) description!: string | null;
  @Field(f.record(PLATFORM_WRITTEN), { description: 'JSON Schema of the arguments.' }) inputSchema!: JsonObject;
  @Field(f.record(PLATFORM_WRITTEN), { description: 'Hints of the server about the tool.' }) annotations!: JsonObject;
  @Field(f.bool(), {
    description: 'Whether the agent may use it: allowedTools includes it, and its definition is the approved one.',
  })
  allowed!: boolean;
  @Field(f.oneOf(['changed', 'new'] as const), {
    optional: true,
    description:
      '`changed`: its definition is not the approved one. `new`: it was never approved. It is not offered until it is approved.',
  })
  withheld?: 'changed' | 'new';
}

@Described('An MCP server, or one of its tools, that is not available.')
export class UnavailableMcpServer {
  @Field(f.text(), { description: 'Name of the server.' }) server!: string;
  @Field(f.text(), { optional: true, description: 'Where one tool alone is not available.' }) tool?: string;
  @Field(f.text(), { description: 'Why it is not available.' }) reason!: string;
}

export class McpToolsView {
  @Field(f.list(f.object(() => McpToolView))) tools!: McpToolView[];
  @Field(f.list(f.object(() => UnavailableMcpServer))) unavailable!: UnavailableMcpServer[];
}
