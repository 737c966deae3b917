import { Described, Field, f } from '@switchyard/contracts';

@Described('The tools to approve.')
export class ApproveMcpToolsBody {
  @Field(f.text({ min: 1, max: 200 }), { optional: true, description: 'One server of the agent; all when not said.' })
  server?: string;
}
