import core from "./0001-core.sql";
import payments from "./0002-payments.sql";
import med from "./0004-med.sql";
import access from "./0005-access.sql";
import fairDeliveries from "./0006-fair-deliveries.sql";

/** In order; the database's version is how many of them it has had. A released migration is never edited. */
export const MIGRATIONS: readonly string[] = [core, payments, med, access, fairDeliveries];
