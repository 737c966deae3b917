export interface ConnectionBounds {
  total: number;
  /** Without a credential. */
  perAddress: number;
  /** So many times its share an address may reach before it is refused at once. */
  burst: number;
}

/** Counts open connections, and those of each address that has shown no credential. */
export class ConnectionCounts<Connection extends object> {
  private readonly anonymous = new Map<string, number>();
  private readonly addressOf = new Map<Connection, string>();
  private openCount = 0;

  constructor(private readonly limits: ConnectionBounds) {}

  get open(): number {
    return this.openCount;
  }

  /** Anonymous connections of the address that has most. */
  get most(): number {
    let most = 0;
    for (const count of this.anonymous.values()) if (count > most) most = count;
    return most;
  }

  /** Null when it was let in; otherwise the bound that is met. An empty address is only counted in all. */
  enter(connection: Connection, address: string): 'total' | 'address' | null {
    if (this.openCount >= this.limits.total) return 'total';
    const count = this.anonymous.get(address) ?? 0;
    if (address !== '' && count >= this.limits.perAddress * this.limits.burst) return 'address';
    this.openCount += 1;
    if (address === '') return null;
    this.anonymous.set(address, count + 1);
    this.addressOf.set(connection, address);
    return null;
  }

  /** Without a credential, and its address has more of that kind than its share. */
  isOver(connection: Connection): boolean {
    const address = this.addressOf.get(connection);
    return address !== undefined && (this.anonymous.get(address) ?? 0) > this.limits.perAddress;
  }

  /** The connection has shown a credential that is good: its Space answers for it from now on. */
  recognize(connection: Connection): void {
    const address = this.addressOf.get(connection);
    if (address === undefined) return;
    this.addressOf.delete(connection);
    const remaining = (this.anonymous.get(address) ?? 1) - 1;
    if (remaining > 0) this.anonymous.set(address, remaining);
    else this.anonymous.delete(address);
  }

  /** Only for connections that were let in. */
  leave(connection: Connection): void {
    this.recognize(connection);
    this.openCount -= 1;
  }
}
