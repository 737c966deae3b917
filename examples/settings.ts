/** Where the platform is, and who we are: an API key, made in the console or with `POST /api/api-keys`. */
export const url = process.env.SWITCHYARD_URL ?? 'http://127.0.0.1:3000';
export const key = process.env.SWITCHYARD_KEY ?? '';

if (key === '') {
  console.error('Set SWITCHYARD_KEY to an API key.');
  process.exit(1);
}
