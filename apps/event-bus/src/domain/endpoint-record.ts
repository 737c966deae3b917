import type { EndpointStatus, EndpointTransport, EndpointView } from '@switchyard/contracts';
import { STORED_HEADER } from '@switchyard/contracts';
import { mentionsSecret } from '@switchyard/kernel';

/** As it is stored: headers and secrets are sealed. */
export interface EndpointRow {
  spaceId: string;
  id: string;
  name: string;
  transport: EndpointTransport;
  url: string | null;
  headers: string | null;
  secretNames: string[];
  inFlight: number;
  active: boolean;
  status: EndpointStatus;
  failingReason: string | null;
  failingSince: string | null;
  lastSuccessAt: string | null;
  natsAccountId: string | null;
  ackSeconds: number | null;
  /** Null over NATS. */
  secret: string | null;
  oldSecret: string | null;
  oldSecretUntil: string | null;
  createdBy: string | null;
  createdAt: string;
}

export type NewEndpoint = Pick<
  EndpointRow,
  | 'id'
  | 'name'
  | 'transport'
  | 'url'
  | 'headers'
  | 'secretNames'
  | 'inFlight'
  | 'active'
  | 'natsAccountId'
  | 'ackSeconds'
  | 'secret'
  | 'createdBy'
>;

/** Contexts of sealed values: one that is copied to another endpoint does not open. */
export const endpointSecretContext = (endpointId: string): string => `endpoint:${endpointId}/secret`;
export const endpointHeadersContext = (endpointId: string): string => `endpoint:${endpointId}/headers`;

/** Its path may be a credential: who is not in charge sees where events go, and no more. */
const originOf = (url: string | null): string | null =>
  url !== null && URL.canParse(url) ? new URL(url).origin : null;

/** As security events name it: the path of an address may be a credential. The host of a damaged address is null. */
export const receiverOf = ({ url, natsAccountId }: Pick<EndpointRow, 'url' | 'natsAccountId'>): object =>
  url === null ? { natsAccountId } : { host: URL.canParse(url) ? new URL(url).host : null };

/** Fields that only callers with the role ADMIN see. */
interface InCharge {
  /** Null for headers that cannot be decrypted. */
  headers: Readonly<Record<string, string>> | null;
  problem: string | null;
}

/** As callers see it; `inCharge` is null for callers without the role ADMIN. */
export function endpointView(row: EndpointRow, inCharge: InCharge | null): EndpointView {
  const { headers = null, problem = null } = inCharge ?? {};
  return {
    id: row.id,
    name: row.name,
    transport: row.transport,
    url: inCharge === null ? originOf(row.url) : row.url,
    ...(headers === null ? {} : { headers: shownHeaders(headers) }),
    ...(problem === null ? {} : { problem }),
    natsAccountId: row.natsAccountId,
    inFlight: row.inFlight,
    ackSeconds: row.ackSeconds,
    active: row.active,
    status: row.status,
    failingReason: row.failingReason,
    failingSince: row.failingSince,
    lastSuccessAt: row.lastSuccessAt,
    createdBy: row.createdBy,
    createdAt: row.createdAt,
  };
}

const shownHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, mentionsSecret(value) ? value : STORED_HEADER]),
  );
