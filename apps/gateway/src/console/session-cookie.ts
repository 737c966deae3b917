import { AppError } from '@switchyard/kernel';
import type { FastifyRequest } from 'fastify';

/**
 * Over TLS: browsers take a cookie of this prefix only from the host itself, for all of its paths, so that no
 * neighbouring host can plant one.
 */
const HOST_NAME = '__Host-switchyard_console';
/** Over plain HTTP. Over TLS it has no effect: a neighbouring host could have planted it. */
const PLAIN_NAME = '__Secure-switchyard_console';
/** Longer than a sign-in lives: which token still opens one is not for the browser to say. */
const SECONDS = 90 * 24 * 3600;
const TOKEN = /^[A-Za-z0-9_-]{1,128}$/;

/**
 * `Secure` always: browsers take loopback addresses for secure, and over plain HTTP through a network a sign-in ends
 * with the page rather than travel in the clear with every request.
 */
const HOST_ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict; Secure';
const PLAIN_ATTRIBUTES = 'Path=/console/session; HttpOnly; SameSite=Strict; Secure';

type CookieRequest = Pick<FastifyRequest, 'headers' | 'protocol'>;

/** The origin counts as well, which was checked to be ours: a proxy may end TLS without saying so. */
const isOverTls = ({ headers: { origin }, protocol }: CookieRequest): boolean =>
  protocol === 'https' || origin?.startsWith('https://') === true;

const valuesOf = ({ headers }: Pick<CookieRequest, 'headers'>, name: string): string[] =>
  (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));

const endOf = (name: string, attributes: string): string => `${name}=; ${attributes}; Max-Age=0`;

/** `Set-Cookie` values that store this token and delete former ones. */
export function sessionCookies(request: CookieRequest, refreshToken: string): string[] {
  if (!isOverTls(request)) return [`${PLAIN_NAME}=${refreshToken}; ${PLAIN_ATTRIBUTES}; Max-Age=${SECONDS}`];
  const cookie = `${HOST_NAME}=${refreshToken}; ${HOST_ATTRIBUTES}; Max-Age=${SECONDS}`;
  return valuesOf(request, PLAIN_NAME).length === 0 ? [cookie] : [endOf(PLAIN_NAME, PLAIN_ATTRIBUTES), cookie];
}

export const endedCookies = (request: CookieRequest): string[] =>
  isOverTls(request)
    ? [endOf(PLAIN_NAME, PLAIN_ATTRIBUTES), endOf(HOST_NAME, HOST_ATTRIBUTES)]
    : [endOf(PLAIN_NAME, PLAIN_ATTRIBUTES)];

export function findToken(request: CookieRequest): string | null {
  // Two cookies of one name: one was planted.
  const [value, ...others] = valuesOf(request, isOverTls(request) ? HOST_NAME : PLAIN_NAME);
  return value !== undefined && others.length === 0 && TOKEN.test(value) ? value : null;
}

export function getToken(request: CookieRequest): string {
  const token = findToken(request);
  if (token === null) throw new AppError('UNAUTHORIZED', 'This browser is not signed in. Sign in again.');
  return token;
}
