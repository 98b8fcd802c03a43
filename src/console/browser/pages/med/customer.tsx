import { useCall } from "../../api/use-call.js";

/** The contested payment of a case, which knows its customer. */
export const usePayment = (of: { readonly charge_id: string } | null) =>
  useCall("payments.get", { params: { id: of?.charge_id.replace("ch_", "") ?? "" } }, { when: of !== null });

/** Who paid what is contested. Its place is as wide before the name is read. */
export function Customer({ of }: { of: { readonly charge_id: string } }) {
  const name = usePayment(of).state.value.data?.customerName ?? "";
  return (
    <span class="cut customer" title={name}>
      {name}
    </span>
  );
}
