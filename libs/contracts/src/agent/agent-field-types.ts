import type { JsonObject } from '@switchyard/kernel';
import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { SIZES } from '../input-size-limits';

export const BUILTIN_TOOLS = [
  'ask_user',
  'search_datasets',
  'query_dataset',
  'write_dataset',
  'run_task',
  'emit_event',
  'web_search',
  'save_memory',
] as const;
export type BuiltinTool = (typeof BUILTIN_TOOLS)[number];

@Described('A variable of a system prompt.')
export class PromptVariable {
  @Field(
    f.text({
      min: 1,
      max: 64,
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      allows: 'must consist of letters, digits and _, and not begin with a digit',
    }),
    {
      description: 'The name between the braces.',
    },
  )
  name!: string;
  @Field(f.text({ max: 500 }), { optional: true, description: 'Description of the variable.' }) description?: string;
  @Field(f.bool(), { optional: true, description: 'Calls without a value are refused unless there is a default.' })
  required?: boolean;
  @Field(f.json(SIZES.promptVariables), { optional: true, description: 'Used when a call gives no value.' })
  default?: unknown;
}

@Described('A dataset that is searched before the model answers.')
export class KnowledgeSource {
  @Field(f.id()) datasetId!: string;
  @Field(f.int({ min: 1, max: 50 }), { optional: true, description: 'Records to retrieve, 5 unless given.' })
  topK?: number;
  @Field(f.number({ min: 0, max: 1 }), { optional: true, description: 'Least similarity of a record, 0 to 1.' })
  minScore?: number;
}

@Described('An MCP server as callers configure it. Header values are write-only secrets.')
export class McpServerInput {
  @Field(
    f.text({
      min: 1,
      max: 40,
      pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$',
      allows: 'must consist of letters, digits, _ and -, and begin with a letter or a digit',
    }),
    { description: 'Name of the server, unique in the agent.' },
  )
  name!: string;
  @Field(f.text({ min: 1, max: 2000 }), { description: 'Streamable HTTP address.' }) url!: string;
  @Field(f.record(SIZES.agentList, f.text({ max: 4000 }), { max: 50 }), {
    secret: true,
    optional: true,
    description:
      'Sent with every request; stored encrypted. Values may name `{{ secrets.NAME }}`, at most 20 of them. 32 KiB in all when filled in.',
  })
  headers?: Record<string, string>;
  @Field(f.list(f.text({ min: 1, max: 128 }), { max: 200 }), { optional: true, description: 'All tools unless given.' })
  allowedTools?: string[];
}

@Described('An MCP server of an agent, without the values of its headers.')
export class McpServerView {
  @Field(f.text(), { description: 'Name of the server.' }) name!: string;
  @Field(f.text(), { description: 'URL of the server.' }) url!: string;
  @Field(f.list(f.text()), { optional: true, description: 'Names of the stored headers; their values stay inside.' })
  headerNames?: string[];
  @Field(f.list(f.text()), { optional: true, description: 'Tools that the model may call. Missing: all.' })
  allowedTools?: string[];
  @Field(f.list(f.text()), { optional: true, description: 'The secrets of the Space that the headers name.' })
  secretNames?: string[];
}

@Described('A tool that the host application runs.')
export class LocalTool {
  @Field(
    f.text({
      min: 1,
      max: 64,
      pattern: '^[A-Za-z_][A-Za-z0-9_-]*$',
      allows: 'must consist of letters, digits, _ and -, and begin with a letter or _',
    }),
    { description: 'Name of the tool, as the model calls it.' },
  )
  name!: string;
  @Field(f.text({ max: 2000 }), { description: 'Description for the model.' }) description!: string;
  @Field(f.record(SIZES.schema), { description: 'JSON Schema of the arguments.' }) parameters!: JsonObject;
}
