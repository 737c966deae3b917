import { Field, f } from '@switchyard/contracts';

export class ApproveMcpToolsBody {
  @Field(f.text({ min: 1, max: 200 }), { optional: true, description: 'One server of the agent; all when not said.' })
  server?: string;
}
