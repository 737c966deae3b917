// One sign-in per tab. The access token stays in memory; the refresh token lives as long as the tab does.

const STORED = 'switchyard.refresh';
let accessToken = null;
let refreshing = null;
export const session = { user: null, space: null, role: null };

export class ApiError extends Error {
  constructor(status, body, requestId) {
    super(body?.message ?? `The server answered ${status}.`);
    this.status = status;
    this.code = body?.code;
    this.requestId = requestId;
  }
}

function take(data) {
  accessToken = data.accessToken;
  sessionStorage.setItem(STORED, data.refreshToken);
}

async function send(method, path, body, headers = {}) {
  const response = await fetch(`/api${path}`, {
    method,
    headers: {
      ...(accessToken ? { authorization: `Bearer ${accessToken}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return response;
}

async function refreshed() {
  const refreshToken = sessionStorage.getItem(STORED);
  if (!refreshToken) return false;
  refreshing ??= (async () => {
    const response = await send('POST', '/auth/refresh', { refreshToken });
    if (!response.ok) {
      sessionStorage.removeItem(STORED);
      return false;
    }
    take((await response.json()).data);
    return true;
  })().finally(() => {
    refreshing = null;
  });
  return refreshing;
}

export async function request(method, path, body, headers) {
  let response = await send(method, path, body, headers);
  // Without a credential a 401 is the answer itself.
  if (path === '/auth/login' || (path === '/auth/invitations/accept' && !accessToken)) return response;
  if (response.status === 401 && (await refreshed())) response = await send(method, path, body, headers);
  if (response.status === 401) window.dispatchEvent(new Event('signed-out'));
  return response;
}

export async function call(method, path, body, headers) {
  const response = await request(method, path, body, headers);
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new ApiError(response.status, answer, response.headers.get('x-request-id'));
  return answer;
}

export const get = async (path) => (await call('GET', path)).data;
export const post = async (path, body = {}) => (await call('POST', path, body)).data;

export async function signIn(email, password, spaceId) {
  accessToken = null;
  take(await post('/auth/login', { email, password, ...(spaceId ? { spaceId } : {}) }));
  await whoAmI();
}

/** With a password: as somebody new. Without one: with the account that is signed in. */
export async function acceptInvitation(token, password) {
  if (password) accessToken = null;
  take(await post('/auth/invitations/accept', { token, ...(password ? { password } : {}) }));
  await whoAmI();
}

export async function whoAmI() {
  const me = await get('/auth/me');
  Object.assign(session, { user: me.user, space: me.space, role: me.role });
}

export async function resume() {
  if (!(await refreshed())) return false;
  await whoAmI();
  return true;
}

export async function switchSpace(spaceId) {
  take(await post('/auth/switch-space', { spaceId }));
  await whoAmI();
}

export async function signOut() {
  const refreshToken = sessionStorage.getItem(STORED);
  sessionStorage.removeItem(STORED);
  if (refreshToken) await post('/auth/logout', { refreshToken }).catch(() => undefined);
  accessToken = null;
}
