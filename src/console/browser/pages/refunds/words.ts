import { texts } from "../../state/language.js";

export const words = texts(
  {
    status: "Status",
    amount: "Amount",
    charge: "Payment",
    created: "Created",
    strategy: "Strategy",
    of_payment: "of the payment",
    failure: "Failure",
    end_to_end: "End-to-end id",
    none: "No refund fits this filter.",
    empty: "No refunds yet. Refund a paid charge on its page, or with:",
    object: "The refund",
  },
  {
    status: "Status",
    amount: "Valor",
    charge: "Pagamento",
    created: "Criada em",
    strategy: "Estratégia",
    of_payment: "do pagamento",
    failure: "Falha",
    end_to_end: "End-to-end id",
    none: "Nenhuma devolução corresponde a este filtro.",
    empty: "Nenhuma devolução ainda. Devolva uma cobrança paga na página dela ou com:",
    object: "A devolução",
  },
);
