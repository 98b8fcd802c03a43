import type { UserRole } from "../../kernel/contract.js";
import type { UserRow, UserStore } from "./user-store.js";

/**
 * Tokens of the dashboard (contract, section 5.4; docs/decisions/021-dashboard-login.md): JWTs signed with HMAC SHA-256
 * by a key that is made once for each database. They are never stored, and their time is emulated time.
 */

const ALGORITHM = "HS256";
const ISSUER = "qa-pay";
const AUDIENCE = "qa-pay-dashboard";
/** Seconds. */
export const TOKEN_LIFE = 8 * 3_600;

/** What is remembered of a token that was verified. */
export interface Verified {
  /** Of the user. */
  readonly id: string;
  readonly accountId: string;
  readonly tokenId: string;
  /** Emulated milliseconds. */
  readonly tokenExpiresAt: number;
}

/** Who a token stands for, as of now. */
export interface SignedIn extends Verified {
  readonly role: UserRole;
}

export interface Tokens {
  /** A new token of the user, valid from `now` (emulated milliseconds). */
  issue(user: UserRow, jti: string, now: number): Promise<string>;
  /** Null for whatever is not a token of ours, is over, was logged out, or belongs to a user who is gone. */
  verify(token: string, now: number): Promise<SignedIn | null>;
  /** The role that a user has by now; null once the token that was verified is over, logged out, or its user gone. */
  roleNow(verified: Verified, now: number): UserRole | null;
}

/**
 * The last digit of a part carries bits that decoding drops, so that several texts decode to one signature. Only the
 * one that we wrote is taken.
 */
function isCanonical(token: string): boolean {
  return token.split(".").every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
}

/** `secret` answers 32 bytes in hex. */
export function createTokens(secret: () => string, users: UserStore): Tokens {
  const key = () => Buffer.from(secret(), "hex");
  // Loaded by the first who logs in: the start of the server need not wait for it.
  const library = () => import("jose");
  /** The role as it is now: the one in the token is for whoever shows it. */
  function roleNow({ id, accountId, tokenId, tokenExpiresAt }: Verified, now: number): UserRole | null {
    const user = users.byId(id);
    const isGood = user?.account_id === accountId && now < tokenExpiresAt && !users.isTokenRevoked(tokenId);
    return isGood ? user.role : null;
  }
  return {
    roleNow,
    async issue(user, jti, now) {
      const { SignJWT } = await library();
      const issuedAt = Math.floor(now / 1_000);
      return new SignJWT({ account: user.account_id, role: user.role })
        .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
        .setSubject(user.id)
        .setJti(jti)
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + TOKEN_LIFE)
        .sign(key());
    },
    async verify(token, now) {
      const { errors, jwtVerify } = await library();
      if (!isCanonical(token)) return null;
      try {
        const { payload } = await jwtVerify(token, key(), {
          algorithms: [ALGORITHM],
          typ: "JWT",
          issuer: ISSUER,
          audience: AUDIENCE,
          requiredClaims: ["sub", "account", "role", "jti", "iat", "exp"],
          currentDate: new Date(now),
        });
        const { sub: id = "", jti: tokenId = "", exp = 0, account } = payload;
        const verified = { id, accountId: String(account), tokenId, tokenExpiresAt: exp * 1_000 };
        const role = roleNow(verified, now);
        return role === null ? null : { ...verified, role };
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}
