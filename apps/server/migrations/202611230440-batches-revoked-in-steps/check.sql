select 'a batch is taken back by somebody' as what, convalidated as ok
from pg_constraint where conname = 'coupon_batch_revoke_asked';

select 'batches that are being taken back are found by an index' as what, indisvalid as ok
from pg_index where indexrelid = 'coupon_batch_revoking'::regclass;
