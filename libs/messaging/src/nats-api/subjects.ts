// Without imports: the launcher and the commands of operators use this file, and stay small.

/** Subjects of the NATS API. An account's id is one token, so its subjects never overlap with another account's. */
export const requestSubject = (account: string): string => `switchyard.v1.${account}`;
export const deliverySubject = (account: string): string => `switchyard-out.v1.${account}`;
export const acknowledgementSubject = (account: string): string => `switchyard-ack.v1.${account}`;
export const inboxSubject = (account: string): string => `_INBOX.${account}`;

export interface NatsApiPermissions {
  publish: readonly string[];
  subscribe: readonly string[];
}

/**
 * The rights of an account's user. No `allow_responses`: the server would walk through all open reply addresses at each
 * message.
 */
export const accountPermissions = (account: string): NatsApiPermissions => ({
  publish: [`${requestSubject(account)}.>`, `${acknowledgementSubject(account)}.>`],
  subscribe: [`${inboxSubject(account)}.>`, `${deliverySubject(account)}.>`],
});

/** The rights of the gateway's own user. */
export const GATEWAY_PERMISSIONS: NatsApiPermissions = {
  publish: ['_INBOX.*.>', 'switchyard-out.v1.*.*'],
  subscribe: ['switchyard.v1.*.>', 'switchyard-ack.v1.>'],
};

const ACCOUNT_ID = /^[A-Za-z0-9]{22}$/;

export const isNatsAccountId = (text: string): boolean => ACCOUNT_ID.test(text);
