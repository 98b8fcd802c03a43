/** Returns the error of a call. It must fail, and with an error of this kind. */
export async function failureOf<Kind extends Error = Error>(
  call: Promise<unknown>,
  kind: abstract new (...given: never[]) => Kind = Error as never,
): Promise<Kind> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof kind) return error;
  throw new Error(`the call did not fail with a ${kind.name}`, { cause: error });
}
