import { Described, Field } from '../fields/field';
import { f } from '../fields/field-schema';
import { AgentSummary, AgentView } from './agent-record';

@Described("An entry in an agent's list of versions.")
export class AgentVersionSummary {
  @Field(f.id()) agentId!: string;
  @Field(f.int(), { description: 'Number of the version, from 1.' }) version!: number;
  @Field(f.object(() => AgentSummary), { description: 'The agent as of this version.' }) agent!: AgentSummary;
  @Field(f.id(), { nullable: true, description: 'Id of the user who made the change; null if that user is not known.' })
  changedBy!: string | null;
  @Field(f.time()) createdAt!: string;
}

@Described('A version of an agent, with the agent as it was.')
export class AgentVersionView extends AgentVersionSummary {
  @Field(f.object(() => AgentView), { description: 'The agent as of this version, with all of its fields.' })
  override agent!: AgentView;
}
