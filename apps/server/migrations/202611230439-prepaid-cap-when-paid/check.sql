select 'a recharge above the limit says so' as what, pg_get_constraintdef(oid) like '%prepaid_cap%' as ok
from pg_constraint where conname = 'recharge_use_why_check';
