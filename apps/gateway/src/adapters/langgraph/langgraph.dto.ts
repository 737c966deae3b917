import { f, Described, Field, SIZES } from '@switchyard/contracts';

const open = { optional: true, nullable: true } as const;
const ASSISTANT_FIELDS = ['assistant_id', 'graph_id', 'name', 'created_at', 'updated_at'] as const;

@Described('Filters of a list of assistants.')
export class SearchAssistants {
  @Field(f.text({ max: 200 }), { ...open, description: 'The id of an agent.' }) graph_id?: string | null;
  @Field(f.text({ max: 200 }), { ...open, description: 'Part of the name.' }) name?: string | null;
  @Field(f.json(SIZES.metadata), { ...open, description: 'Agents have none: must be empty.' }) metadata?: unknown;
  @Field(f.int({ min: 1, max: 1000 }), { optional: true, default: 10 }) limit?: number;
  @Field(f.int({ min: 0 }), { optional: true, default: 0, description: 'Number of assistants to skip.' })
  offset?: number;
  @Field(f.oneOf(ASSISTANT_FIELDS), { ...open, default: 'created_at', description: 'Field to sort by.' })
  sort_by?: (typeof ASSISTANT_FIELDS)[number] | null;
  @Field(f.oneOf(['asc', 'desc'] as const), { ...open, default: 'desc', description: 'Direction of the order.' })
  sort_order?: 'asc' | 'desc' | null;
  @Field(f.list(f.text({ max: 50 }), { max: 50 }), { ...open, description: 'Fields of the answer.' })
  select?: string[] | null;
}

@Described('A new thread, which is a session.')
export class CreateThread {
  @Field(f.id(), { ...open, description: 'The id of the session; made when not given.' }) thread_id?: string | null;
  @Field(f.record(SIZES.metadata), {
    ...open,
    description: 'Kept with the session. `graph_id` is the id of its agent.',
  })
  metadata?: Record<string, unknown> | null;
  @Field(f.oneOf(['raise', 'do_nothing'] as const), {
    ...open,
    default: 'raise',
    description: 'If the thread exists: fail, or return it.',
  })
  if_exists?: 'raise' | 'do_nothing' | null;
  @Field(f.json(SIZES.metadata), { ...open, description: 'Not supported.' }) supersteps?: unknown;
  @Field(f.json(SIZES.metadata), { ...open, description: 'Not supported.' }) ttl?: unknown;
}

@Described('Page of a history.')
export class ThreadHistory {
  @Field(f.int({ min: 1, max: 100 }), { optional: true, default: 10 }) limit?: number;
  @Field(f.json(SIZES.metadata), { ...open, description: 'Not supported.' }) before?: unknown;
  @Field(f.json(SIZES.metadata), { ...open, description: 'Not supported.' }) metadata?: unknown;
  @Field(f.json(SIZES.metadata), { ...open, description: 'Not supported.' }) checkpoint?: unknown;
  @Field(f.json(SIZES.metadata), { ...open, description: 'Not supported.' }) select?: unknown;
}

@Described("A command of LangGraph's protocol.")
export class ThreadCommand {
  @Field(f.int({ min: 0 }), { description: 'Id of the command. The answer repeats it.' }) id!: number;
  @Field(f.text({ min: 1, max: 100 }), { description: '`run.start`, `run.cancel` or `input.respond`.' })
  method!: string;
  @Field(f.record(SIZES.body), { optional: true, description: 'Parameters of the command.' }) params?: Record<
    string,
    unknown
  >;
}

@Described('Selects the events of a stream.')
export class ThreadEvents {
  @Field(
    f.list(
      f.text({
        max: 200,
        pattern: '^(values|updates|messages|tools|lifecycle|input|checkpoints|tasks|custom(:.+)?)$',
        allows:
          'must be one of values, updates, messages, tools, lifecycle, input, checkpoints, tasks, custom, custom:<name>',
      }),
      { min: 1, max: 50 },
    ),
    { description: 'Channels to receive.' },
  )
  channels!: string[];
  @Field(f.list(f.list(f.text({ max: 200 }), { max: 20 }), { max: 50 }), {
    ...open,
    description: 'Events have the empty namespace.',
  })
  namespaces?: string[][] | null;
  @Field(f.int({ min: 0 }), { ...open, description: 'Accepted and ignored: agents have no subgraphs.' }) depth?:
    | number
    | null;
  @Field(f.int({ min: 0 }), { ...open, description: 'Only events with a greater `seq`.' }) since?: number | null;
}
