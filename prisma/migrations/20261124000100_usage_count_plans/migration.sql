-- A piece is 2000 requests at most, found by their ids. While the tables are small or have no statistics, the planner would read them whole
-- for each piece.
alter function usage_count(uuid[]) set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off;
