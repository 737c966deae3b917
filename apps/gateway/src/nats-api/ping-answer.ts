interface Me {
  data: { space: { id: string } | null; role: string | null; credential: { scopes: string[] } };
}

/** The account, its Space and its rights. */
export function pingAnswer(account: string, me: Buffer): Buffer {
  const { space, role, credential } = (JSON.parse(me.toString()) as Me).data;
  const pong = {
    account,
    spaceId: space?.id ?? null,
    role,
    scopes: credential.scopes,
    serverTime: new Date().toISOString(),
  };
  return Buffer.from(JSON.stringify({ success: true, message: 'The NATS API answers.', data: pong }));
}
