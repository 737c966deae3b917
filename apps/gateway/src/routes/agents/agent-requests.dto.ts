import { Described, Field, f, UnavailableMcpServer } from '@switchyard/contracts';

@Described('The tools to approve.')
export class ApproveMcpToolsBody {
  @Field(f.text({ min: 1, max: 200 }), { optional: true, description: 'One server of the agent; all if omitted.' })
  server?: string;
}

export class McpToolsSiblings {
  @Field(f.list(f.object(() => UnavailableMcpServer)), { description: 'Servers that did not answer.' })
  unavailable!: UnavailableMcpServer[];
}
