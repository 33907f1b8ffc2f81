select relname as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where relname in ('rider_deposit', 'deposit_case', 'deposit_setting', 'card_product', 'rider_card',
  'card_use', 'platform_charge') and relkind = 'r';

select 'every paid deposit of a known rider has its row' as what, not exists (
  select from payment p join rider i on i.id = p.rider_id and i.agent_id = p.agent_id
  where p.became = 'deposit' and not exists (select from rider_deposit d where d.id = p.id)
) as ok;

select 'requests only read ' || relname as what,
  has_table_privilege('saddle_app', oid, 'select') and not has_table_privilege('saddle_app', oid, 'insert, update, delete') as ok
from pg_class where relname in ('rider_deposit', 'deposit_case', 'rider_card', 'card_use', 'platform_charge')
  and relkind = 'r';
