/** The form of a snapshot as a file, for the service and for commands. */

export const SNAPSHOT_TYPE = "application/octet-stream";
/** A larger file is not imported. */
export const MAX_SNAPSHOT_BYTES = 1_073_741_824;
