import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import { withoutAddress } from "../../kernel/page-address.js";
import { IsoInstant, Words } from "../../kernel/schemas.js";
import { iso } from "../../kernel/time.js";

/** Links into the web console (docs/decisions/050-console-session.md). The command `console` asks for one. */
export const sandboxConsoleLink = defineOperation({
  id: "sandbox.console.link",
  method: "POST",
  path: "/_sandbox/console/links",
  auth: "key",
  surface: "sandbox",
  summary: "Make a link that opens the web console",
  description:
    "Makes a link that starts a session of the web console in the browser that opens it: once, within one minute of " +
    "real time. With `id` it leads to the page of that object. The session stands for every account of this server " +
    "and ends with it, or when it is not used for twelve hours. Where the console is switched off this is a 404.",
  body: z.object({
    id: Words.max(2_000, "must have at most 2000 characters")
      .optional()
      .meta({ description: "The id of an object, an end-to-end id, a txid, or the address of one of its pages" }),
  }),
  success: {
    status: 201,
    description: "The link",
    schema: z.object({
      url: z.string(),
      public: z.boolean().meta({ description: "Whether it has the public address that the server was started with" }),
      expires_at: IsoInstant.meta({ description: "When the link stops working, in real time" }),
    }),
  },
  errors: ["not_found"],
  secrets: ["url"],
}).control(({ body }, controls) => {
  const page = body.id === undefined ? null : `go/${encodeURIComponent(withoutAddress(body.id))}`;
  const { url, isPublic, expiresAt } = controls.consoleLink(page);
  return { url, public: isPublic, expires_at: iso(expiresAt) };
});
