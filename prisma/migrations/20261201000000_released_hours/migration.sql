-- The hours in which requests of an account were released are few: its log of released requests reads them newest first, where it read the
-- sums of all its hours. Building it waits for nothing but the follower that writes the sums, and requests do not wait for that.
set local lock_timeout = '5s';
create index usage_hour_released on usage_hour (account_id, hour) where released > 0;
