-- Histograms, one after the other: usage_histogram adds them up.
create or replace aggregate usage_entries(bigint[]) (
  sfunc = array_cat, stype = bigint[], initcond = '{}'
);
