import { type Contract, isRateLimited } from "../../base/kernel/contract.js";
import { ApiError } from "../../base/kernel/errors.js";
import { callingUser } from "../../service/features/operation.js";
import { ANYONE, type Authenticated, authenticate, authenticateUser } from "./auth.js";
import { type Exchange, header, linesOf } from "./exchange.js";
import { type ApiSurface, type FrameParts, useQuota } from "./frame.js";
import type { RequestFacts } from "./request-entry.js";

/** Finds the caller of a request and puts it into the facts. Throws ApiError when there is none. */
export type Identify = (exchange: Exchange, facts: RequestFacts) => Authenticated | Promise<Authenticated>;

/** A surface whose requests have callers: it serves the operations of the service. */
export interface CallerSurface extends ApiSurface {
  identify(contract: Contract): Identify;
}

/** Throws when the caller is a user whose role may not call the operation. */
export function checkRole({ roles }: Contract, { caller }: Authenticated): void {
  if (roles?.includes(callingUser(caller).role) === false) throw new ApiError("API_KEY_ROLE_REQUIRED");
}

/** Of two headers Node keeps the first. It is unclear which of two tokens is meant. */
export function programSurface(parts: FrameParts): CallerSurface {
  return {
    prefix: "",
    isConsole: false,
    headers: null,
    check: () => undefined,
    takesSlash: false,
    identify(contract) {
      const limiter = isRateLimited(contract) ? parts.rateLimiter : null;
      const ways: Record<Contract["auth"], Identify> = {
        none: () => ANYONE,
        key({ request }, facts) {
          const who = authenticate(parts.accounts, header(request, "apikey"));
          facts.authenticated = who;
          if (limiter !== null) useQuota(limiter, who, facts);
          return who;
        },
        async jwt({ request }, facts) {
          // Of two headers Node keeps the first. Nobody can say which of two tokens is meant.
          const isOne = linesOf("authorization", request) === 1;
          const who = await authenticateUser(parts.reader(), isOne ? header(request, "authorization") : undefined);
          facts.authenticated = who;
          checkRole(contract, who);
          return who;
        },
      };
      return ways[contract.auth];
    },
  };
}
