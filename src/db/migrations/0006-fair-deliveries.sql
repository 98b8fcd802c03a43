-- What is open for each endpoint, in the order in which it is due: the worker looks at each endpoint by itself, so that
-- the backlog of one costs the others nothing.
DROP INDEX deliveries_by_endpoint;
CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_seq, next_attempt_at) WHERE status IN ('PENDING', 'PROCESSING');
