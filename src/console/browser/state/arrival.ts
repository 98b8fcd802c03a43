import { takeSession } from "./session.js";

/** Imported before all else: other modules read the address of the page as soon as they are loaded. */
takeSession();
