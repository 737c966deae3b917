/** Encryption context of each sealed value. */
export const secretPlace = (spaceId: string, id: string): string => `secret:${spaceId}:${id}`;
export const webhookSecretPlace = (spaceId: string): string => `webhook-secret:${spaceId}`;
export const signingKeyPlace = (kid: string): string => `signing-key:${kid}`;
