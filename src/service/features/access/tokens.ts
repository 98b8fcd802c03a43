import type { UserRole } from "../../../base/kernel/contract.js";
import type { UserRow, UserStore } from "./user-store.js";

/**
 * Tokens of the dashboard (docs/service/keys.md#login, docs/decisions/021-dashboard-login.md): JWTs signed with HMAC
 * SHA-256 by a key that is created once for each database. They are never stored, and their time is emulated time.
 */

const ALGORITHM = "HS256";
const ISSUER = "qa-pay";
const AUDIENCE = "qa-pay-dashboard";
/** Seconds. */
export const TOKEN_LIFE = 8 * 3_600;

export interface Verified {
  readonly id: string;
  readonly accountId: string;
  readonly tokenId: string;
  /** The expiry of the token, in emulated milliseconds. */
  readonly tokenExpiresAt: number;
}

export interface SignedIn extends Verified {
  readonly role: UserRole;
}

/** Decoding drops bits of a part's last digit, so several texts have one signature. Only the issued text is accepted. */
function isCanonical(token: string): boolean {
  return token.split(".").every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
}

export type Tokens = ReturnType<typeof createTokens>;

/** `secret` returns 32 bytes in hex. */
export function createTokens(secret: () => string, users: UserStore) {
  const key = () => Buffer.from(secret(), "hex");
  // Loaded by the first login, so that the start of the server does not wait for it.
  const library = () => import("jose");
  /**
   * Returns the present role of a verified token's user; null once the token has expired or was logged out, or the user
   * was removed. It is read from the database: the role in the token only informs its reader.
   */
  function roleNow({ id, accountId, tokenId, tokenExpiresAt }: Verified, now: number): UserRole | null {
    const user = users.byId(id);
    const isGood = user?.account_id === accountId && now < tokenExpiresAt && !users.isTokenRevoked(tokenId);
    return isGood ? user.role : null;
  }
  return {
    roleNow,
    /** Returns a new token of the user, valid from `now` (emulated milliseconds). */
    async issue(user: UserRow, jti: string, now: number): Promise<string> {
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
    /** Returns null for a text that is no token of this database, and for a token whose user has no role now. */
    async verify(token: string, now: number): Promise<SignedIn | null> {
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
