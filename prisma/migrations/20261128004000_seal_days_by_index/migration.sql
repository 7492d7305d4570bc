-- The statement for the balances' hash has no parameter, so a session plans it once: on the first sealed day, when the table of sums is almost
-- empty and reading all of it for every account looks cheap. A first audit of many days then read it 2000 times for each day.
alter function ledger_seal_day() set enable_seqscan = off;
