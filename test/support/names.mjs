// Loaded into a process by `--import`, in place of a line in the file of hosts: NAMES_OF_TEST lists names of this machine.
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";

const names = new Set((process.env.NAMES_OF_TEST ?? "").split(","));
const { lookup } = dns;
dns.lookup = (name, ...rest) => lookup(names.has(name) ? "127.0.0.1" : name, ...rest);
syncBuiltinESMExports();
