const UUID = /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/gi;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const DAY = /^\d{4}-\d\d-\d\d$/;
const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g;
const SECRET = /whsec_[\w+/=-]+/g;
const KEY = /(?<![\w./-])[A-Za-z0-9]{40}(?![\w-])/g;
/** The id of a NATS account, by itself or in a subject. */
const ACCOUNT_ID = /(?<=^|\/|v1\.|_INBOX\.)(?=\S*[a-z])[A-Za-z0-9]{22}(?![\w-])/g;
const STANDING_SCRIPT = /\n@@@[^\n]*/g;
const LONG = /^[\w+/=.-]{40,}$/;
const HOST = /127\.0\.0\.1:\d+|localhost:\d+/g;

const MOMENT = '2026-01-15T09:30:00.000Z';
/** Measured numbers, which differ from run to run. */
const MEASURED = new Set([
  'execution_time',
  'duration_ms',
  'latencyMs',
  'uptimeSeconds',
  'timestamp',
  'created',
  'created_at',
  'revision',
  'loadedRevision',
]);
const ITEMS = 2;

/** Replaces ids, times and secrets with stable ones, so that a new record differs only where the API does. */
export class Stabilizer {
  private readonly ids = new Map<string, string>();

  stable(value: unknown, name = ''): unknown {
    if (typeof value === 'string') return this.text(value, name);
    if (typeof value === 'number') return this.number(value, name);
    if (Array.isArray(value)) return value.slice(0, ITEMS).map((item) => this.stable(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [this.text(key, ''), this.stable(part, key)]));
  }

  private number(value: number, name: string): number {
    if (!MEASURED.has(name)) return value;
    if (name === 'timestamp') return Date.parse(MOMENT);
    if (name.startsWith('created')) return Date.parse(MOMENT) / 1000;
    return Number.isInteger(value) ? 350 : 0.35;
  }

  private text(value: string, name: string): string {
    if (DAY.test(value)) return MOMENT.slice(0, 10);
    // Scripts for the model simulator.
    if (value.startsWith('@@')) return 'Hello';
    const stable = value
      .replaceAll(STANDING_SCRIPT, '')
      .replaceAll(/\b(ada|grace|owner|root)(?:-[\w-]+)?@(?:[\w.]+)/g, '$1@example.com')
      .replaceAll(JWT, 'eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl')
      .replaceAll(SECRET, 'whsec_ZXhhbXBsZQ==')
      .replaceAll(UUID, (id) => this.idOf(id))
      .replaceAll(TIME, MOMENT)
      .replaceAll(HOST, 'switchyard.example')
      .replaceAll(/"timestamp":\d+/g, `"timestamp":${Date.parse(MOMENT)}`)
      .replaceAll(/"(execution_time|duration_ms)":[\d.]+/g, '"$1":350')
      .replaceAll(ACCOUNT_ID, 'ExampleAccountExample1')
      .replaceAll(KEY, 'ExampleKeyExampleKeyExampleKeyExampleKey');
    const isToken = LONG.test(stable) && !name.startsWith('model') && name !== 'deliver';
    return isToken ? 'ExampleTokenExampleTokenExampleTokenExample' : stable;
  }

  private idOf(id: string): string {
    const plain = id.replaceAll('-', '').toLowerCase();
    const count = this.ids.get(plain) ?? String(this.ids.size + 1).padStart(12, '0');
    this.ids.set(plain, count);
    const stable = `01900000-0000-7000-8000-${count}`;
    return id.includes('-') ? stable : stable.replaceAll('-', '');
  }
}
