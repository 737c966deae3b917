import { Http, type HttpRequest } from './http/http';
import type { ClientOptions } from './http/options';
import { ActivityOfSpace } from './resources/activity';
import { Agents } from './resources/agents';
import { Applications } from './resources/applications';
import { Auth } from './resources/auth';
import { Datasets } from './resources/datasets';
import { Events } from './resources/events';
import { Jobs } from './resources/jobs';
import { Keys } from './resources/keys';
import { Models } from './resources/models';
import { NatsAccounts } from './resources/nats-accounts';
import { Operator } from './resources/operator';
import { Secrets } from './resources/secrets';
import { Sessions } from './resources/sessions';
import { Spaces } from './resources/spaces';
import { Tasks } from './resources/tasks';
import { Turns } from './resources/turns';
import { Usage } from './resources/usage';

/** One credential's view of a Switchyard deployment. */
export class SwitchyardClient {
  readonly activity: ActivityOfSpace;
  readonly agents: Agents;
  readonly turns: Turns;
  readonly sessions: Sessions;
  readonly jobs: Jobs;
  readonly tasks: Tasks;
  readonly datasets: Datasets;
  readonly events: Events;
  readonly applications: Applications;
  readonly keys: Keys;
  readonly models: Models;
  readonly natsAccounts: NatsAccounts;
  readonly secrets: Secrets;
  readonly usage: Usage;
  readonly spaces: Spaces;
  readonly auth: Auth;
  readonly operator: Operator;
  private readonly http: Http;

  constructor(options: ClientOptions) {
    this.http = new Http(options);
    this.activity = new ActivityOfSpace(this.http);
    this.agents = new Agents(this.http);
    this.turns = new Turns(this.http);
    this.sessions = new Sessions(this.http);
    this.jobs = new Jobs(this.http);
    this.tasks = new Tasks(this.http);
    this.datasets = new Datasets(this.http);
    this.events = new Events(this.http);
    this.applications = new Applications(this.http);
    this.keys = new Keys(this.http);
    this.models = new Models(this.http);
    this.natsAccounts = new NatsAccounts(this.http);
    this.secrets = new Secrets(this.http);
    this.usage = new Usage(this.http);
    this.spaces = new Spaces(this.http);
    this.auth = new Auth(this.http);
    this.operator = new Operator(this.http);
  }

  /** Any endpoint that has no method of its own here; the answer as it came. */
  request<T>(request: HttpRequest): Promise<T> {
    return this.http.json<T>(request);
  }
}

/** A message of text alone. */
export const text = (value: string): { type: 'text'; text: string }[] => [{ type: 'text', text: value }];
