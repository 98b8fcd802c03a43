/** Lets a server of node:http listen in this process, on a free port unless one is given. */
export async function waitUntilListening(server, port = 0) {
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  const end = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${server.address().port}`, end };
}

/** The same for a process that is a server and nothing else. Prints `{"url"}` then. SIGTERM ends the process. */
export async function startServing(server, port = 0) {
  server.keepAliveTimeout = 75_000;
  const { url } = await waitUntilListening(server, port);
  process.stdout.write(`${JSON.stringify({ url })}\n`);
  process.on("SIGTERM", () => process.exit(0));
}
