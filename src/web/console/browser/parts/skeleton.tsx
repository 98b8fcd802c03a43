import { connection } from "../state/connection.js";
import { shared } from "./words.js";

/** A placeholder for data that is being read, so that nothing moves when it arrives. */
export function Skeleton() {
  return (
    <div class="skeleton">
      {connection.isWorking ? <span class="visually-hidden">{shared.value.loading}</span> : null}
    </div>
  );
}
