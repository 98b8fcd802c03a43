import { Split } from "../../parts/split.js";
import { ChargePage } from "./charge.js";
import { ChargeList } from "./list.js";

export function Charges({ id }: { id?: string }) {
  return <Split list={<ChargeList open={id} />}>{id === undefined ? null : <ChargePage key={id} id={id} />}</Split>;
}
