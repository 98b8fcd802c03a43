import { texts } from "../../state/language.js";

export const words = texts(
  {
    status: "Status",
    amount: "Amount",
    charge: "Payment",
    created: "Created",
    strategy: "Strategy",
    reason: "Reason",
    failure: "Failure",
    end_to_end: "End-to-end id",
    none: "No refund fits this filter.",
    empty: "Refunds stand here, the newest first. Refund a paid charge on its page, or with:",
    actions: "In place of the acquirer",
    object: "The refund",
  },
  {
    status: "Status",
    amount: "Valor",
    charge: "Pagamento",
    created: "Criada em",
    strategy: "Estratégia",
    reason: "Motivo",
    failure: "Falha",
    end_to_end: "End-to-end id",
    none: "Nenhuma devolução corresponde a este filtro.",
    empty: "Aqui ficam as devoluções, da mais nova à mais antiga. Devolva uma cobrança paga na página dela ou com:",
    actions: "No lugar do adquirente",
    object: "A devolução",
  },
);
