/** The first page for agents, in the form of llmstxt.org: a description of this server, and further links. */
export function llmsText(origin: string): string {
  return `# qa-pay

> A payments service for Brazil (Pix, boleto, cards) that runs on somebody's own machine. No money is real: payers, banks and time are simulated.

- The address of this server is ${origin}.
- Requests have the header \`apikey\`. \`qa-pay serve\` prints the test key, and commands in its folder find address and key by themselves.
- A request that creates something has the header \`Idempotency-Key\`. Send the same key again when the outcome is unknown.
- Amounts are whole numbers of centavos: 1990 is R$ 19,90. Instants are ISO 8601 in UTC, on an emulated clock.

## Documents

- [Reference](${origin}/docs): every operation with its fields, errors and an example.
- [OpenAPI](${origin}/openapi.json): the document of \`/v1\`.
- [OpenAPI with the emulator](${origin}/openapi.json?sandbox=true): simulators, clock, faults and logs below \`/_sandbox\` too.

## Commands

- \`qa-pay charges create --amount 1990 --json\`: a charge.
- \`qa-pay sandbox pay <charge>\`: a simulated payer pays it.
- \`qa-pay sandbox collectors create --events charge.paid\`: takes webhooks without a receiver; \`qa-pay sandbox collectors webhooks <id>\` lists them.
- \`qa-pay sandbox clock advance 1h\`: lets time pass, with all that falls due.
- \`qa-pay why <id>\`: why something is in its present state, in one sentence.
- \`qa-pay sandbox timeline <id>\`: what happened to an object, and why.
- \`qa-pay mcp\`: the operations as tools of the Model Context Protocol.
- \`qa-pay docs\`: all guides, without a network.
`;
}
