-- What an upstream asks for a model, and what the operator asks for a point: for the margin alone, nothing is charged by it.
-- Millionths of the currency: per million tokens for a model, and for one point as output_amount of the subject 'point'.
create table upstream_price (
  subject       text primary key,
  currency      text not null check (currency ~ '^[A-Z]{3}$'),
  input_amount  bigint check (input_amount between 0 and 1000000000000000),
  output_amount bigint not null check (output_amount between 0 and 1000000000000000),
  updated_at    timestamptz not null default now(),
  updated_by    text not null
);
