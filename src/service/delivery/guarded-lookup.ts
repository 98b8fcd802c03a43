import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { BlockList, type LookupFunction } from "node:net";
import { AttemptFailure } from "../../base/kernel/attempt-errors.js";

/**
 * Link-local addresses, and the addresses at which clouds serve credentials of the machine. IPv4 addresses that are written as
 * IPv6 (`::ffff:…`) are among them.
 */
const NEVER_BY_NAME = new BlockList();
NEVER_BY_NAME.addSubnet("169.254.0.0", 16);
NEVER_BY_NAME.addSubnet("fe80::", 10, "ipv6");
// The same as 169.254.0.0 behind NAT64 and 6to4.
NEVER_BY_NAME.addSubnet("64:ff9b::a9fe:0", 112, "ipv6");
NEVER_BY_NAME.addSubnet("2002:a9fe::", 32, "ipv6");
// Of AWS, Google, Scaleway, Alibaba, Azure and Oracle.
NEVER_BY_NAME.addSubnet("fd00:ec2::", 32, "ipv6");
for (const address of ["fd20:ce::254", "fd00:42::42"]) NEVER_BY_NAME.addAddress(address, "ipv6");
for (const address of ["100.100.100.200", "168.63.129.16", "192.0.0.192"]) NEVER_BY_NAME.addAddress(address);

const isAllowed = ({ address, family }: LookupAddress) =>
  !NEVER_BY_NAME.check(address.replace(/%.*$/, ""), family === 6 ? "ipv6" : "ipv4");

/** Resolves all addresses of a name, as `lookup` of node:dns does. */
export type LookupAll = (
  name: string,
  options: { readonly all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * The `lookup` of a connection, without the addresses to which no name may lead. Every new connection calls it and uses its
 * result, so a name that changes its address is checked again.
 */
export function createGuardedLookup(lookup: LookupAll = systemLookup): LookupFunction {
  return (name, options, callback) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, "");
      const addresses = found.filter(isAllowed);
      const [first] = addresses;
      if (first === undefined) {
        const params = { host: name, address: found[0]?.address ?? "" };
        return callback(new AttemptFailure({ code: "never_by_name", params }), "");
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
}
