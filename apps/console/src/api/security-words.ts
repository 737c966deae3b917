/** Events that their code does not name well enough. */
const WORDS: Record<string, string> = {
  'access.denied': 'Access denied',
  'agent.access-changed': 'Agent: access changed',
  'agent.mcp-tools-approved': 'Agent: MCP tools approved',
  'application.key-rotated': 'Application: key rotated',
  'identity.linked': 'Company sign-in linked',
  'login.failed': 'Sign-in failed',
  'login.throttled': 'Sign-in slowed down after failures',
  'member.role-changed': 'Member: role changed',
  'member.unconfirmed': 'Member: not confirmed',
  'operator.key.created': 'Operator key created',
  'operator.key.revoked': 'Operator key revoked',
  'operator.key.rotated': 'Operator key rotated',
  'sign-in.closed': 'Signed out',
  'sign-in.opened': 'Signed in',
  'sign-in.reused': 'Sign-in ended: its cookie was used twice',
  'space.ceilings.changed': 'Space: ceilings changed',
  'space.changed': 'Settings changed',
  'space.credit.refused': 'Credit refused',
  'space.credited': 'Credit added',
  'space.webhook-secret-rotated': 'Webhook secret rotated',
  'user.password.reset': 'Password reset by an operator',
};

/** Events of a Space, as its filter offers them. */
export const SPACE_ACTIONS: readonly string[] = [
  'access.denied',
  'agent.access-changed',
  'agent.deleted',
  'agent.mcp-tools-approved',
  'application.installed',
  'application.key-rotated',
  'application.uninstalled',
  'application.upgraded',
  'approval.answered',
  'key.changed',
  'key.created',
  'key.revoked',
  'key.rotated',
  'member.added',
  'member.invited',
  'member.joined',
  'member.removed',
  'member.role-changed',
  'secret.changed',
  'secret.created',
  'secret.deleted',
  'sign-in.closed',
  'sign-in.opened',
  'sign-in.reused',
  'space.ceilings.changed',
  'space.changed',
  'space.created',
  'space.credited',
  'space.resumed',
  'space.suspended',
  'space.webhook-secret-rotated',
];

/** An event in words: `key.created` reads "Key created". */
export function actionWords(action: string): string {
  const words = WORDS[action] ?? action.replaceAll(/[.-]/gu, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
