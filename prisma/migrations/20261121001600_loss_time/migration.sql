-- The losses of a day are read with every reading of the figures.
create index operator_loss_time on operator_loss (created_at);
