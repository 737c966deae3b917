import { Injectable } from '@nestjs/common';
import {
  AgentCalls,
  type Ctx,
  EndpointCalls,
  type SecretUser,
  type SecretUserKind,
  TaskCalls,
} from '@switchyard/contracts';
import { Bus } from '@switchyard/messaging';

/** Users of a secret, from the services of tasks, agents and endpoints. */
@Injectable()
export class SecretUsageReader {
  constructor(private readonly bus: Bus) {}

  async of(ctx: Ctx, name: string): Promise<SecretUser[]> {
    const [tasks, agents, endpoints] = await Promise.all([
      this.bus.call(TaskCalls.secretUsers, ctx, { name }),
      this.bus.call(AgentCalls.secretUsers, ctx, { name }),
      this.bus.call(EndpointCalls.secretUsers, ctx, { name }),
    ]);
    const usersOf = (kind: SecretUserKind, users: readonly { id: string; name: string }[]): SecretUser[] =>
      users.map((user) => ({ kind, id: user.id, name: user.name }));
    return [
      ...usersOf('task', tasks.users),
      ...usersOf('agent', agents.users),
      ...usersOf('endpoint', endpoints.users),
    ];
  }
}
