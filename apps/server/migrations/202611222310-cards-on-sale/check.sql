select 'each pass on sale has its version' as what, not exists (
  select from card_product p where not exists (
    select from card_product_version v where v.product_id = p.id and v.version = p.version)) as ok;

select 'nothing changes a version of a pass on sale' as what,
  not has_table_privilege('saddle_app', 'card_product_version', 'update, delete')
    and not has_table_privilege('saddle_system', 'card_product_version', 'update, delete') as ok;

select 'requests only read passes and their uses' as what,
  not has_table_privilege('saddle_app', 'rider_card', 'insert, update, delete')
    and not has_table_privilege('saddle_app', 'card_use', 'insert, update, delete') as ok;
