import { type Db, runner } from "../../base/db/driver.js";

/**
 * Changes a database so that nothing is ever sent to its addresses: no endpoint is active, waiting deliveries keep waiting, and
 * later events of a charge have no address of its own. Everything is signed with `secret`.
 */
export function disarm(db: Db, secret: string): void {
  runner(db, "UPDATE accounts SET signing_secret = ?")(secret);
  runner(
    db,
    `UPDATE endpoints SET secret = ?, previous_secret = NULL, status = 'INACTIVE',
            origin = CASE origin WHEN 'forward' THEN 'api' ELSE origin END`,
  )(secret);
  db.exec(
    `UPDATE deliveries SET status = 'PENDING', parked = 1 WHERE status IN ('PENDING', 'PROCESSING');
     UPDATE transactions SET webhook_url = NULL`,
  );
}
