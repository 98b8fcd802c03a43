import { isUndecided } from "../model/state.js";
import { bookAt, type Kind, keyOf, pickOf, same, which } from "./plan.js";

/** Steps that only the crash test takes: they are about what a kill may leave half done. */

const PNG = { "content-type": "image/png" };

const uploadEvidence: Kind = {
  name: "upload evidence",
  weight: 0,
  draw: (chance) => ({
    ...{ book: which(chance), which: which(chance), part: chance.pick(["upload", "complete"]) },
    size: chance.pick([100, 1_000_000]),
  }),
  async plan({ book: index, which: choice, part, size }, run) {
    const book = pickOf(
      run.world.books.filter(({ cases }) => cases.some(isUndecided)),
      index,
    );
    const found = pickOf(book?.cases.filter(isUndecided) ?? [], choice);
    if (book === undefined || found === undefined || found.id.startsWith("unseen")) return null;
    const key = keyOf(run, book);
    const path = `/v1/med/cases/med_${found.id}/evidence`;
    const announced = { file_name: "proof.png", file_size: size, mime_type: "image/png" };
    const ticket = await run.host.ask({ method: "POST", path, key, body: announced });
    const { pathname, search } = new URL(ticket?.body.upload_url, "http://host");
    const raw = "x".repeat(Number(size));
    const upload = { method: "PUT", path: pathname + search, key: null, raw, headers: PNG };
    if (part === "upload") return { ask: upload, book, status: 200 };
    await run.host.ask(upload);
    return {
      ask: { method: "POST", path: `${path}/${ticket?.body.id}/complete`, key },
      ...{ book, status: 200 },
      apply(world) {
        const one = same(world, book).cases.find(({ id }) => id === found.id);
        if (one !== undefined) one.evidence += 1;
      },
    };
  },
};

/** Other steps do not use it: that it is whole is read from the database. */
const addAccount: Kind = {
  name: "add an account",
  weight: 0,
  draw: () => ({}),
  plan: (_params, run) => ({
    ask: {
      ...{ method: "POST", path: "/_sandbox/accounts", key: keyOf(run, bookAt(run, 0)) },
      body: { name: `Account ${run.next()}` },
    },
    status: 201,
    find: async () => null,
  }),
};

export const RARE = [uploadEvidence, addAccount];
