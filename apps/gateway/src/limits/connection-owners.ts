/** For whom a connection counts: an address as long as it has shown no credential, then payer, Space and credential. */
export interface Holder {
  payer: string;
  space: string;
  credential: string;
}

interface ConnectionEntry<Connection> {
  holder: Holder;
  isAnonymous: boolean;
  crowd: Crowd<Connection>;
  /** Requests and streams in progress. */
  open: number;
}

/**
 * The connections of one credential, or of one address without any: those that rest, the idlest first, and the others.
 */
interface Crowd<Connection> {
  resting: Set<Connection>;
  busy: Set<Connection>;
}

interface PayerGroup<Connection> {
  /** As its latest connection says. */
  payer: string;
  count: number;
  crowds: Map<string, Crowd<Connection>>;
}

const sizeOf = <C>({ resting, busy }: Crowd<C>): number => resting.size + busy.size;

/**
 * Connections by owner, and the idlest of each: the one whose last byte is oldest. Connections with a request or stream
 * in progress come after idle ones.
 */
export class ConnectionOwners<Connection extends object> {
  private readonly entries = new Map<Connection, ConnectionEntry<Connection>>();
  private readonly spaces = new Map<string, PayerGroup<Connection>>();
  private readonly payers = new Map<string, Set<string>>();

  private busyCount = 0;

  /** Connections with a request or a stream in progress. */
  get busy(): number {
    return this.busyCount;
  }

  get open(): number {
    return this.entries.size;
  }

  /** A connection that has shown no credential yet. */
  enter(connection: Connection, address: string): void {
    const name = `address:${address}`;
    this.add(connection, { payer: name, space: name, credential: name }, true, 0);
  }

  leave(connection: Connection): void {
    const entry = this.entries.get(connection);
    if (entry) this.remove(connection, entry);
  }

  /** It counts for this holder from now on. False where it did before, or is not there any more. */
  move(connection: Connection, holder: Holder): boolean {
    const entry = this.entries.get(connection);
    if (!entry) return false;
    const { payer, space, credential } = entry.holder;
    if (payer === holder.payer && space === holder.space && credential === holder.credential) return false;
    this.remove(connection, entry);
    this.add(connection, holder, false, entry.open);
    return true;
  }

  /** A request has begun on it. Returns how many are in progress there. */
  begin(connection: Connection): number {
    const entry = this.entries.get(connection);
    if (!entry) return 0;
    entry.open += 1;
    if (entry.open > 1) return entry.open;
    this.busyCount += 1;
    entry.crowd.resting.delete(connection);
    entry.crowd.busy.add(connection);
    return entry.open;
  }

  /** The answer to a request has left. Returns how many are in progress there. */
  end(connection: Connection): number {
    const entry = this.entries.get(connection);
    if (!entry || entry.open === 0) return 0;
    entry.open -= 1;
    if (entry.open > 0) return entry.open;
    this.busyCount -= 1;
    entry.crowd.busy.delete(connection);
    entry.crowd.resting.add(connection);
    return 0;
  }

  holderOf(connection: Connection): Holder | undefined {
    return this.entries.get(connection)?.holder;
  }

  isAnonymous(connection: Connection): boolean {
    return this.entries.get(connection)?.isAnonymous === true;
  }

  ofSpace(space: string): number {
    return this.spaces.get(space)?.count ?? 0;
  }

  ofCredential({ space, credential }: Holder): number {
    const crowd = this.spaces.get(space)?.crowds.get(credential);
    return crowd ? sizeOf(crowd) : 0;
  }

  ofPayer(payer: string): number {
    let count = 0;
    for (const space of this.payers.get(payer) ?? []) count += this.ofSpace(space);
    return count;
  }

  /** The payer, or the address, that holds most. */
  get largest(): { payer: string; count: number } {
    let largest = { payer: '', count: 0 };
    for (const payer of this.payers.keys()) {
      const count = this.ofPayer(payer);
      if (count > largest.count) largest = { payer, count };
    }
    return largest;
  }

  /** For the metrics: what the address, the credential, the Space and the payer have that have most of their kind. */
  get most(): { address: number; credential: number; space: number; payer: number } {
    const most = { address: 0, credential: 0, space: 0, payer: 0 };
    for (const payer of this.payers.keys()) {
      const count = this.ofPayer(payer);
      if (payer.startsWith('address:')) most.address = Math.max(most.address, count);
      else most.payer = Math.max(most.payer, count);
    }
    for (const [space, { count, crowds }] of this.spaces) {
      if (space.startsWith('address:')) continue;
      most.space = Math.max(most.space, count);
      for (const crowd of crowds.values()) most.credential = Math.max(most.credential, sizeOf(crowd));
    }
    return most;
  }

  /** The idlest connection of a credential. */
  idlestOfCredential({ space, credential }: Holder): Connection | undefined {
    const crowd = this.spaces.get(space)?.crowds.get(credential);
    return crowd && this.idlest([crowd], true);
  }

  /** The idlest connection of the credential of a Space that holds most. */
  idlestOfSpace(space: string): Connection | undefined {
    return this.idlest([...(this.spaces.get(space)?.crowds.values() ?? [])], true);
  }

  idlestOfPayer(payer: string, alsoBusy: boolean): Connection | undefined {
    const groups = [...(this.payers.get(payer) ?? [])].map((space) => this.spaces.get(space));
    return this.idlest(
      groups.flatMap((group) => (group ? [...group.crowds.values()] : [])),
      alsoBusy,
    );
  }

  /** How many connections each Space holds: addresses without a credential are none. */
  *counts(): Iterable<[space: string, count: number]> {
    for (const [space, { count }] of this.spaces) if (!space.startsWith('address:')) yield [space, count];
  }

  private idlest(crowds: Crowd<Connection>[], alsoBusy: boolean): Connection | undefined {
    crowds.sort((a, b) => sizeOf(b) - sizeOf(a));
    for (const { resting } of crowds) for (const connection of resting) return connection;
    if (alsoBusy) for (const { busy } of crowds) for (const connection of busy) return connection;
    return undefined;
  }

  private add(connection: Connection, holder: Holder, isAnonymous: boolean, open: number): void {
    const group = this.groupOf(holder);
    group.count += 1;
    let crowd = group.crowds.get(holder.credential);
    if (!crowd) group.crowds.set(holder.credential, (crowd = { resting: new Set(), busy: new Set() }));
    if (open > 0) this.busyCount += 1;
    (open > 0 ? crowd.busy : crowd.resting).add(connection);
    this.entries.set(connection, { holder, isAnonymous, crowd, open });
  }

  private remove(connection: Connection, { holder, crowd, open }: ConnectionEntry<Connection>): void {
    this.entries.delete(connection);
    if (open > 0) this.busyCount -= 1;
    crowd.resting.delete(connection);
    crowd.busy.delete(connection);
    const group = this.spaces.get(holder.space);
    if (!group) return;
    group.count -= 1;
    if (sizeOf(crowd) === 0) group.crowds.delete(holder.credential);
    if (group.count > 0) return;
    this.spaces.delete(holder.space);
    this.unpay(group.payer, holder.space);
  }

  private groupOf({ space, payer }: Holder): PayerGroup<Connection> {
    let group = this.spaces.get(space);
    if (group?.payer === payer) return group;
    if (group) this.unpay(group.payer, space);
    else this.spaces.set(space, (group = { payer, count: 0, crowds: new Map() }));
    group.payer = payer;
    const spaces = this.payers.get(payer);
    if (spaces) spaces.add(space);
    else this.payers.set(payer, new Set([space]));
    return group;
  }

  private unpay(payer: string, space: string): void {
    const spaces = this.payers.get(payer);
    spaces?.delete(space);
    if (spaces?.size === 0) this.payers.delete(payer);
  }
}
