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

/** Who a token stands for, as of now. */
export interface SignedIn {
  readonly userId: string;
  readonly accountId: string;
  readonly role: UserRole;
  readonly tokenId: string;
  /** Emulated milliseconds. */
  readonly expiresAt: number;
}

export interface Tokens {
  /** A new token of the user, valid from `now` (emulated milliseconds). */
  issue(user: UserRow, jti: string, now: number): Promise<string>;
  /** Null for whatever is not a token of ours, is over, was logged out, or belongs to a user who is gone. */
  verify(token: string, now: number): Promise<SignedIn | null>;
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
  return {
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
        const { sub = "", jti = "", exp = 0, account } = payload;
        const user = users.byId(sub);
        if (user === null || user.account_id !== account || users.isTokenRevoked(jti)) return null;
        // The role as it is now: the one in the token is for whoever shows it.
        return { userId: user.id, accountId: user.account_id, role: user.role, tokenId: jti, expiresAt: exp * 1_000 };
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}
