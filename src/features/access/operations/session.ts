import { z } from "zod";
import { ApiError } from "../../../kernel/errors.js";
import { callingUser, defineOperation } from "../../operation.js";
import { isPassword } from "../passwords.js";
import { TOKEN_LIFE } from "../tokens.js";
import { toUser, User } from "../wire.js";

/**
 * docs/service/keys.md#login. The answer does not say which credential was wrong, and the time that it takes does not
 * show it.
 */
export const login = defineOperation({
  id: "auth.login",
  method: "POST",
  path: "/v1/auth/login",
  auth: "none",
  surface: "api",
  summary: "Log in to the dashboard for a token of eight hours",
  description:
    "Answers a token for an e-mail address and a password. Wrong credentials are a 401 that tells neither by its " +
    "words nor by its time which of the two was wrong. It changes nothing.",
  body: z.object({ email: z.string(), password: z.string() }),
  success: {
    status: 200,
    description: "The token, to be sent as `Authorization: Bearer`",
    schema: z.object({
      token: z.string(),
      token_type: z.literal("Bearer"),
      expires_in: z.int().meta({ description: "Seconds" }),
      user: User,
      account: z.object({ id: z.string(), name: z.string() }),
    }),
  },
  errors: ["unauthorized"],
  secrets: ["password", "token"],
}).read(async ({ body }, reader) => {
  await reader.usersStored();
  const user = reader.users.byEmail(body.email.toLowerCase());
  const fits = await isPassword(body.password, user?.password_hash ?? null, reader.settings.passwordCost);
  const account = user === null ? null : reader.accounts.byId(user.account_id);
  if (!fits || user === null || account === null) {
    throw new ApiError("unauthorized", { message: "The e-mail address or the password is wrong." });
  }
  return {
    token: await reader.tokens.issue(user, reader.ids.next(), reader.now),
    token_type: "Bearer" as const,
    expires_in: TOKEN_LIFE,
    user: toUser(user),
    account: { id: account.id, name: account.name },
  };
});

export const logout = defineOperation({
  id: "auth.logout",
  method: "POST",
  path: "/v1/auth/logout",
  auth: "jwt",
  surface: "api",
  summary: "Log out: the token stops working",
  description: "Ends the token that the request carries; other logins of the same user go on. It needs no body.",
  success: { status: 204, description: "The token is dead", schema: z.undefined() },
  errors: [],
}).write(({ caller }, tx) => {
  const { tokenId, tokenExpiresAt } = callingUser(caller);
  tx.users.revokeToken(tokenId, tokenExpiresAt);
  return undefined;
});
