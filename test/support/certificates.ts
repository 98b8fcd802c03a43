/**
 * Lets this process and all that it starts do without additional certificates. Node reads their file at every start, and a
 * file of 144 certificates more than doubles the work of a start. No test speaks to a host that needs them.
 */
export function withoutMoreCertificates(): void {
  delete process.env.NODE_EXTRA_CA_CERTS;
}
