// Verifiable randomness, as src/macaz/game/fair.py: chance outcomes follow from a secret and the players' nonces.

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js"; // pages without TLS have no crypto.subtle
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

const SECRET_BYTES = 32;
const NONCE_BYTES = 32;
const [CHANCE, PLEDGE, DEAL] = ["macaz chance 1", "macaz pledge 1", "macaz deal 1"].map(utf8ToBytes) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const NUMBERS = 1n << 64n;

/** What a seat's player adds to a deal, in hexadecimal; a pledge alone: the nonce was not published in time. */
export interface Share {
  readonly pledge: string | null;
  readonly nonce: string | null;
}

/** A new nonce, in hexadecimal. */
export const newNonce = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));

/** The hash that a player publishes before the nonce itself; both in hexadecimal. */
export const pledgeOf = (nonce: string): string => bytesToHex(sha256(concatBytes(PLEDGE, hexToBytes(nonce))));

/** Whether a nonce is the one that was pledged; also true if there is none. */
export const fitsPledge = ({ pledge, nonce }: Share): boolean => nonce === null || pledgeOf(nonce) === pledge;

/** The key of a deal with these contributions, in the order of the seats. */
export function dealKey(secret: Uint8Array, shares: readonly Share[]): Uint8Array {
  const parts = shares.map(({ pledge, nonce }) => {
    if (nonce !== null) return concatBytes(Uint8Array.of(2), hexToBytes(nonce));
    return Uint8Array.of(pledge === null ? 0 : 1);
  });
  return hmac(sha256, secret, concatBytes(DEAL, ...parts));
}

/** Draws the chance outcomes of one game from its secret. */
export class Dealer {
  /** set by `seeded` */
  readonly seed: string | null;
  private readonly mac: ReturnType<typeof hmac.create>;

  private constructor(
    private readonly bytes: Uint8Array,
    /** what the seats added; null: the secret alone decides */
    readonly shares: readonly Share[] | null,
    seed: string | null = null,
  ) {
    if (bytes.length !== SECRET_BYTES)
      throw new Error(`a secret has ${SECRET_BYTES} bytes, not ${bytes.length}`);
    if (!(shares ?? []).every(fitsPledge)) throw new Error("a nonce is not the one that was pledged");
    this.seed = seed;
    const key = shares === null ? bytes : dealKey(bytes, shares);
    this.mac = hmac.create(sha256, key).update(CHANCE);
  }

  /** A dealer with a new random secret. */
  static random(): Dealer {
    return new Dealer(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)), null);
  }

  /** The dealer of a secret that was stored, in hexadecimal. */
  static of(secret: string, shares: readonly Share[] | null = null): Dealer {
    return new Dealer(hexToBytes(secret), shares);
  }

  /** A dealer whose secret follows from a seed, for tests and studies: such a game proves nothing. */
  static seeded(seed: string): Dealer {
    return new Dealer(sha256(utf8ToBytes(`macaz seed ${seed}`)), null, seed);
  }

  withShares(shares: readonly Share[]): Dealer {
    return new Dealer(this.bytes, shares);
  }

  /** in hexadecimal */
  get secret(): string {
    return bytesToHex(this.bytes);
  }

  /** The SHA-256 of the secret, in hexadecimal: to be published before the game. */
  get commitment(): string {
    return bytesToHex(sha256(this.bytes));
  }

  /**
   * The index-th chance outcome: a uniform number below `ways`. Numbers that would make some outcomes likelier
   * are rejected, and the next ones used.
   */
  draw(index: number, ways: bigint): bigint {
    const limit = NUMBERS - (NUMBERS % ways);
    const counts = new DataView(new ArrayBuffer(12));
    counts.setBigUint64(0, BigInt(index));
    for (let block = 0; ; block += 1) {
      counts.setUint32(8, block);
      const digest = this.mac.clone().update(new Uint8Array(counts.buffer)).digest();
      const numbers = new DataView(digest.buffer, digest.byteOffset, digest.length);
      for (let at = 0; at < digest.length; at += 8) {
        const number = numbers.getBigUint64(at);
        if (number < limit) return number % ways;
      }
    }
  }
}
