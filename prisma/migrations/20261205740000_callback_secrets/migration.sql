-- Each key signs the callbacks of what it orders with a secret of its own. The one that the keys of
-- an account shared until now signs beside it for a time, so that receivers which have it go on.
alter table account add column shared_callbacks_since timestamptz default now();
alter table account alter column shared_callbacks_since drop default;
