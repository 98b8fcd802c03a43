/** Lets a server listen on this machine, on a free port unless one is given. Prints `{"url"}` then. SIGTERM ends the process. */
export function serving(server, port = 0) {
  server.keepAliveTimeout = 75_000;
  server.listen(port, "127.0.0.1", () => {
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })}\n`);
  });
  process.on("SIGTERM", () => process.exit(0));
}
