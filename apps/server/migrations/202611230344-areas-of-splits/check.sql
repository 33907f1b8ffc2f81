select 'areas of splits are found by an index' as what, count(*) = 2 as ok
from pg_indexes where indexname in ('split_terms_area', 'split_bill_area');
