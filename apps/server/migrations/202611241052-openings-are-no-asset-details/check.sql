select 'an opening balance is looked at by no trigger of asset details' as what, pg_get_triggerdef(oid) like '%opening_balance%' as ok
from pg_trigger where tgname = 'asset_detail' and tgrelid = 'ledger_entry'::regclass;
