import { isIPv4, isIPv6 } from "node:net";

/**
 * E-mail addresses: the addr-spec of RFC 5322, section 3.4.1, without its obsolete forms. The domain must be a valid DNS
 * host name or an address literal (docs/decisions/016-codes-from-the-row.md).
 */

/** Matches a local part: a dot-atom or a quoted string. */
const LOCAL_PART = /^(?:[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*|"(?:[^"\\]|\\.)*")/;
/** Matches a domain: a host name or an address literal. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[^[\]\\]*\])/i;

/** The text behind the comment that it begins with; null when the comment does not end. Comments may be nested. */
function behindComment(text: string): string | null {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const sign = text[index];
    if (sign === "\\") index += 1;
    else if (sign === "(") depth += 1;
    else if (sign === ")") {
      depth -= 1;
      if (depth === 0) return text.slice(index + 1);
    }
  }
  return null;
}

/** The text behind the comments that it begins with, without the spaces around them. */
function behindComments(text: string): string {
  let rest = text;
  for (;;) {
    const inside = rest.trimStart();
    const next = inside.startsWith("(") ? behindComment(inside) : null;
    if (next === null) return rest === text ? text : inside;
    rest = next;
  }
}

function isDomain(domain: string): boolean {
  if (domain.startsWith("[")) {
    const literal = domain.slice(1, -1);
    return isIPv4(literal) || (/^IPv6:/i.test(literal) && isIPv6(literal.slice("IPv6:".length)));
  }
  return domain.length <= 253 && domain.split(".").every((label) => label.length <= 63);
}

export function isEmailAddress(text: string): boolean {
  if (!/^[!-~](?:[ -~]*[!-~])?$/.test(text)) return false;
  const begin = behindComments(text);
  const local = LOCAL_PART.exec(begin)?.[0];
  if (local === undefined) return false;
  const behind = behindComments(begin.slice(local.length));
  if (!behind.startsWith("@")) return false;
  const end = behindComments(behind.slice(1));
  const domain = DOMAIN.exec(end)?.[0];
  return domain !== undefined && isDomain(domain) && behindComments(end.slice(domain.length)) === "";
}
