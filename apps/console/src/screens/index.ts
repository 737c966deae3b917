import { createRoute, redirect } from '@tanstack/react-router';
import { root } from '../frame/root-route';
import { auth } from '../session/console-auth';
import { activityRoutes } from './activity/route';
import { agentsRoutes } from './agents/route';
import { applicationsRoutes } from './applications/route';
import { causesRoutes } from './causes/route';
import { chatRoutes } from './chat/route';
import { datasetsRoutes } from './datasets/route';
import { endpointsRoutes } from './endpoints/route';
import { eventsRoutes } from './events/route';
import { executionsRoutes } from './executions/route';
import { guidesRoutes } from './guides/route';
import { inboxRoutes } from './inbox/route';
import { invitationRoutes } from './invitation/route';
import { jobsRoutes } from './jobs/route';
import { keysRoutes } from './keys/route';
import { membersRoutes } from './members/route';
import { natsAccountsRoutes } from './nats-accounts/route';
import { operatorRoutes } from './operator/route';
import { secretsRoutes } from './secrets/route';
import { securityEventsRoutes } from './security-events/route';
import { settingsRoutes } from './settings/route';
import { tasksRoutes } from './tasks/route';
import { usageRoutes } from './usage/route';

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: auth.hasSpace() ? '/activity' : '/operator' });
  },
});

/** Each screen is a folder with its routes. */
export const screens = [
  home,
  ...activityRoutes,
  ...causesRoutes,
  ...inboxRoutes,
  ...invitationRoutes,
  ...chatRoutes,
  ...agentsRoutes,
  ...tasksRoutes,
  ...executionsRoutes,
  ...jobsRoutes,
  ...datasetsRoutes,
  ...eventsRoutes,
  ...endpointsRoutes,
  ...applicationsRoutes,
  ...usageRoutes,
  ...keysRoutes,
  ...natsAccountsRoutes,
  ...secretsRoutes,
  ...membersRoutes,
  ...securityEventsRoutes,
  ...settingsRoutes,
  ...operatorRoutes,
  ...guidesRoutes,
];
