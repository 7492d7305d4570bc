-- What is known of the partitions together; autovacuum only reads them one by one.
set local lock_timeout = '5s';
analyze operation;
analyze settlement;
