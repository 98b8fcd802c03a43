const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** True if a host name or address means this machine. An IPv6 address may stand in brackets, as URLs write it. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.test(host);
}

/** True if an address leads to this machine. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}
