import { createCipheriv, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Identity } from '@switchyard/contracts';
import { notSealed } from './not-sealed';
import { type PairKey, PairKeys } from './pair-keys';
import { SecretBox } from './secret-box';
import { shortHmac } from './short-mac';
import { type UnboundSeal, UnboundSeals } from './unbound-seal';

const CALL_LIFE_MS = 60_000;
const SKEW_MS = 30_000;
const MAC_BYTES = 16;
const NONCE_BYTES = 12;
/** 16 bytes in base64url. */
const PROCESS = /^[\w-]{22}$/;
/** What six bytes of the nonce can say. */
const MAX_COUNT = 2 ** 48;

interface Claim {
  sender: string;
  receiver: string;
  subject: string;
  expiresAt: number;
  /** Of this process's seals: no two have the same. */
  count: number;
}

/** Up to here SHA-256 takes half the time of setting up a cipher; from here on the cipher is faster by its bytes. */
const SHORT_BYTES = 4096;

/** The cheapest that Node has for the length, each with a key of its own. */
function macOf(key: PairKey, claim: Claim, bytes: Uint8Array): Buffer {
  const { sender, receiver, subject, expiresAt, count } = claim;
  if (bytes.byteLength > SHORT_BYTES) return gmacOf(key.cipher, claim, bytes);
  const head = `${sender}\n${receiver}\n${subject}\n${expiresAt}\n${count}\n`;
  return shortHmac(key.hash, head, bytes).subarray(0, MAC_BYTES);
}

function gmacOf(key: Buffer, { sender, receiver, subject, expiresAt, count }: Claim, bytes: Uint8Array): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(count, NONCE_BYTES - 6, 6);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(`${sender}\n${receiver}\n${subject}\n${expiresAt}\n`));
  cipher.setAAD(bytes);
  cipher.final();
  return cipher.getAuthTag();
}

/** For a rolling upgrade: until when the version before is spoken to in its own way. */
interface UpgradeTimes {
  /** Seals of the version before are made as well, and believed. */
  unboundSealsUntil?: number;
  /** Secret fields are sent unencrypted. */
  plainSecretsUntil?: number;
}

/**
 * Vouches for a message: that this service sends these bytes, under this subject, to these receivers, and until when.
 * A seal fits nothing else, neither another subject nor another payload, and so neither another Space nor identity,
 * which are part of the payload. Its text: the sender, its process, the number of the seal, the time of its end, and a
 * MAC for each receiver.
 */
export class Sealer {
  private readonly keys: PairKeys;
  private readonly unbound: UnboundSeals;
  private readonly process = randomBytes(16).toString('base64url');
  /** For the secret fields of what this service sends and gets. */
  readonly secrets: SecretBox;
  private readonly unboundUntil: number;
  private count = 0;

  constructor(
    private readonly service: string,
    privateKey: string,
    publicKeys: Readonly<Record<string, string>>,
    upgrade: UpgradeTimes = {},
  ) {
    this.unboundUntil = upgrade.unboundSealsUntil ?? 0;
    this.keys = new PairKeys(service, privateKey, publicKeys);
    this.secrets = new SecretBox(service, this.process, this.keys, upgrade.plainSecretsUntil);
    this.unbound = new UnboundSeals(service, privateKey, publicKeys);
  }

  seal(subject: string, bytes: Uint8Array, receivers: readonly string[], lifeMs = CALL_LIFE_MS): string {
    const sender = this.service;
    const expiresAt = Date.now() + lifeMs;
    this.count += 1;
    const { count } = this;
    let text = `${sender} ${this.process} ${count} ${expiresAt}`;
    for (const receiver of receivers) {
      const key = this.keys.to(receiver, this.process);
      if (!key) continue;
      const mac = macOf(key, { sender, receiver, subject, expiresAt, count }, bytes);
      text += ` ${receiver}:${mac.toString('base64url')}`;
    }
    return text;
  }

  /** The service that sealed exactly these bytes, under this subject, for us. Throws FORBIDDEN where none did. */
  check(seal: string, subject: string, bytes: Uint8Array): string {
    const receiver = this.service;
    const fields = seal.split(' ');
    const [sender = '', process = ''] = fields;
    const count = Number(fields[2]);
    const expiresAt = Number(fields[3]);
    const own = fields.find((field, at) => at > 3 && field.startsWith(`${receiver}:`));
    const isReadable = Number.isSafeInteger(count) && count >= 0 && count < MAX_COUNT;
    // The key is kept by this name.
    if (!PROCESS.test(process)) throw notSealed();
    if (!own || !isReadable || !(expiresAt + SKEW_MS >= Date.now())) throw notSealed();
    const key = this.keys.from(sender, process);
    if (!key) throw notSealed();
    const given = Buffer.from(own.slice(receiver.length + 1), 'base64url');
    const wanted = macOf(key, { sender, receiver, subject, expiresAt, count }, bytes);
    if (given.byteLength !== MAC_BYTES || !timingSafeEqual(given, wanted)) throw notSealed();
    return sender;
  }

  /** For a receiver of the version before; undefined but during an upgrade. */
  sealIdentity(identity: Identity, audience: string, lifeMs?: number): UnboundSeal | undefined {
    return Date.now() < this.unboundUntil ? this.unbound.seal(identity, audience, lifeMs) : undefined;
  }

  /** As `check`, for a message of the version before. */
  checkIdentity(identity: Identity, seal: UnboundSeal | undefined, audience: string): string {
    if (!seal || Date.now() >= this.unboundUntil) throw notSealed();
    this.unbound.check(identity, seal, audience);
    return seal.iss;
  }
}
