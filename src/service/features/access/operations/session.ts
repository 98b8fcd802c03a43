import * as z from "zod";
import { ApiError } from "../../../../base/kernel/errors.js";
import { textUpTo } from "../../../../base/kernel/schemas.js";
import { callingUser, defineOperation } from "../../operation.js";
import { isPassword, MAX_PASSWORD } from "../passwords.js";
import { toUser, User } from "../resource.js";
import { TOKEN_LIFE } from "../tokens.js";

/** docs/service/keys.md#login. Neither the answer nor its time reveals which credential was wrong. */
export const login = defineOperation({
  id: "auth.login",
  route: "POST /v1/auth/login",
  auth: "none",
  summary: "Log in to the dashboard for a token of eight hours",
  questions: ["Log in as {email}?"],
  description:
    "Answers a token for an e-mail address and a password. Wrong credentials are a 401 that shows neither by its " +
    "words nor by its time which of the two was wrong. It changes nothing.",
  body: z.object({
    email: z.string().describe("E-mail address of the user, in capitals or not"),
    password: textUpTo(MAX_PASSWORD).describe("Password of the user"),
  }),
  success: {
    status: 200,
    description: "The token, to be sent as `Authorization: Bearer`",
    schema: z.object({
      token: z.string(),
      token_type: z.literal("Bearer"),
      expires_in: z.int().describe("Seconds"),
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
  route: "POST /v1/auth/logout",
  auth: "jwt",
  summary: "Log out: the token stops working",
  questions: ["Log out?"],
  description: "Ends the token that the request carries; other logins of the same user go on. It needs no body.",
  success: { status: 204, description: "The token no longer works", schema: z.undefined() },
}).write(({ caller }, tx) => {
  const { tokenId, tokenExpiresAt } = callingUser(caller);
  tx.users.revokeToken(tokenId, tokenExpiresAt);
  return undefined;
});
